/** Starts a process that sends hostile inputs to the parsers of one table. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TableName } from './tables.ts';

/** Megabytes for the objects of the process. A parser that needs more ends it. */
const memory = 256;

/** Milliseconds after which the process is ended. It ends itself long before. */
const timeout = 900_000;

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

interface Options {
  table: TableName;
  /** Inputs for each parser. */
  iterations: number;
  /** Another seed generates other inputs. */
  seed?: string;
  /** Only this parser of the table. */
  parser?: string;
}

/** Returns what the process has printed: nothing, unless a parser breaks a rule. */
export async function runProcess({ table, iterations, seed = '1', parser }: Options): Promise<string> {
  // Express parses some paths with a function that Node deprecates (DEP0170).
  const warnings = ['ExperimentalWarning', 'DEP0170'].map((name) => `--disable-warning=${name}`);
  const flags = [`--max-old-space-size=${memory}`, ...warnings];
  const args = [...flags, main, table, seed, String(iterations), ...(parser === undefined ? [] : [parser])];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.once('close', (...ended) => resolve(ended));
  });
  return code === 0 && output === '' ? '' : `seed ${seed}, code ${code}, signal ${signal}\n${output}`;
}
