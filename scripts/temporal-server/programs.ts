/** Builds the programs of a production Temporal: its server, and the tool that creates its tables. */
import { buildGoProgram } from '../local/go-program.ts';
import { cachedProgram } from '../local/programs.ts';

const version = '1.29.1';

export interface TemporalServerPrograms {
  server: string;
  sqlTool: string;
}

export interface BuildOptions {
  env?: NodeJS.ProcessEnv;
  progress?: (what: string) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Returns the paths of both programs. The first call on a machine takes minutes.
 * @throws Error when there is no Go, or with its output
 */
export async function temporalServerPrograms(options: BuildOptions = {}): Promise<TemporalServerPrograms> {
  const { env = process.env } = options;
  const build = (name: string, folder: string, file: string) =>
    buildGoProgram({
      ...options,
      label: `the ${name} of Temporal`,
      source: `go.temporal.io/server/cmd/${folder}@v${version}`,
      file: cachedProgram(`temporal-${name}`, version, env, file),
    });
  // One after the other, because both compile the same packages.
  const server = await build('server', 'server', 'server');
  const sqlTool = await build('sql-tool', 'tools/sql', 'sql');
  return { server, sqlTool };
}
