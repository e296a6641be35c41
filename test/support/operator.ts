/** The operator's command, run as operators run it. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Output {
  code: number;
  stdout: string;
  stderr: string;
}

export function operator(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Output> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['operator/main.ts', ...args], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}
