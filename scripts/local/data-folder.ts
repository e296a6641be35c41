/** The data folder: its lock, its logs, and its small secret files. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from '../../runtime/lock.mjs';
import { enterable, makePrivate } from './private-folder.ts';
import { rotate } from './log-tail.ts';

export interface DataFolder {
  readonly path: string;
  file(...names: string[]): string;
  logFile(name: string): string;
  /** The service's secret, created by the first start. */
  secret(): string;
  read<T>(name: string): T | null;
  /** Writes the file as JSON, atomically: no reader sees a partial file. Only its owner can read it. */
  write(name: string, value: unknown): void;
  /** Writes text in the same way. */
  writeText(name: string, text: string): void;
  remove(name: string): void;
  /** Releases the lock. */
  release(): void;
}

export function openDataFolder(path: string): DataFolder {
  if (!existsSync(path)) mkdirSync(path, { recursive: true, mode: enterable });
  const lock = tryLock(join(path, 'lock'));
  if (!lock.held) {
    throw new Error(
      `The data folder ${path} is in use by pid ${lock.pid}. Stop that process, or set ATELIER_DATA to another folder.`,
    );
  }
  makePrivate(path);
  const file = (...names: string[]) => join(path, ...names);
  const writeText = (name: string, text: string) => {
    const draft = `${file(name)}.${process.pid}.new`;
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, file(name));
  };
  mkdirSync(file('logs'), { recursive: true, mode: 0o700 });
  return {
    path,
    file,
    logFile: (name) => {
      const log = file('logs', `${name}.log`);
      rotate(log);
      return log;
    },
    secret: () => {
      if (!existsSync(file('secret'))) writeText('secret', `${randomBytes(32).toString('hex')}\n`);
      return readFileSync(file('secret'), 'utf8').trim();
    },
    read: <T>(name: string) => (existsSync(file(name)) ? (JSON.parse(readFileSync(file(name), 'utf8')) as T) : null),
    write: (name, value) => writeText(name, `${JSON.stringify(value, null, 2)}\n`),
    writeText,
    remove: (name) => rmSync(file(name), { force: true }),
    release: lock.release,
  };
}
