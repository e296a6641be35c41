/** Runs the commands of a documentation page, so that a test runs exactly what the page says. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface PageCommands {
  /** Returns the content of a block. It has a name after its language: ```` ```sh base-backup ````. */
  block(name: string): string;
  /** Returns the named blocks that the test has not used. */
  unused(): string[];
}

const fence = /^( *)```\w+ ([\w-]+)\n(.*?)^ *```$/gms;

/** @param page the path of the page, from the project's root */
export function readPage(page: string): PageCommands {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  const blocks = new Map(
    [...text.matchAll(fence)].map(([, indent = '', name = '', content = '']) => {
      const lines = content.trimEnd().split('\n');
      return [name, lines.map((line) => line.slice(indent.length)).join('\n')];
    }),
  );
  const unused = new Set(blocks.keys());
  return {
    block(name) {
      const content = blocks.get(name);
      if (content === undefined) throw new Error(`${page} has no block named ${name}`);
      unused.delete(name);
      return content;
    },
    unused: () => [...unused],
  };
}

/** Returns the command line with which a program runs, such as one of another account. */
type As = (command: string, args: string[]) => { command: string; args: string[]; uid?: number; gid?: number };

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs commands in a shell that ends at the first failure. Returns standard output.
 * @throws Error with the output of a command that fails
 */
export async function runCommands(script: string, env: NodeJS.ProcessEnv, as: As = asCaller): Promise<string> {
  const { command, args, ...ids } = as('bash', ['-euo', 'pipefail', '-c', script]);
  try {
    const { stdout } = await promisify(execFile)(command, args, { ...ids, cwd: root, env });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`These commands failed:\n${script}\n${stdout}\n${stderr}`, { cause: error });
  }
}

const asCaller: As = (command, args) => ({ command, args });
