/** Makes the kernel end a child when this process dies (Linux with util-linux's setpriv). */
import { spawnSync } from 'node:child_process';

let supported: boolean | undefined;

/** Returns the options for setpriv, or null where it is not supported. */
export function tiedBy(signal: NodeJS.Signals): string[] | null {
  supported ??= process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', signal, 'true']).status === 0;
  return supported ? ['--pdeathsig', signal] : null;
}

/** Returns the command line that runs a program which ends when this process dies, where that is supported. */
export function tied(command: string, args: string[], signal: NodeJS.Signals): { command: string; args: string[] } {
  const options = tiedBy(signal);
  return options === null ? { command, args } : { command: 'setpriv', args: [...options, command, ...args] };
}
