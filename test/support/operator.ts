/** Runs the operator's command in this process, which is faster, or in a process of its own, as operators do. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runOperator } from '../../operator/program.ts';
import { readConfig } from '../../runtime/config.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Output {
  code: number;
  stdout: string;
  stderr: string;
}

// As in `operator/main.ts`: each command checks the secret itself.
const unchecked = (secret: string): string => secret;

/** Runs a command in this process. The keys of providers are read from its own environment, not from `env`. */
export async function operator(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Output> {
  // The AWS SDK reads its variables from the environment of this process.
  const ofStore = Object.entries(env).filter(([name]) => name.startsWith('AWS_'));
  Object.assign(process.env, Object.fromEntries(ofStore));
  const output = { stdout: '', stderr: '' };
  const code = await runOperator(args, readConfig(env, unchecked), {
    out: (text) => void (output.stdout += text),
    err: (text) => void (output.stderr += text),
  });
  return { code, ...output };
}

/** Runs a command in a process of its own. Every command has a test that uses this function. */
export function operatorProcess(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Output> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['operator/main.ts', ...args], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}
