/** Types of install.mjs, which is plain JavaScript because Node 20 runs it too. */
import type { ChildProcess } from 'node:child_process';

export function isInstalled(root: string): boolean;
export function install(
  root: string,
  options: { log: (line: string) => void; onChild: (child: ChildProcess) => void },
): Promise<void>;
