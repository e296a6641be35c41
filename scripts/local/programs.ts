/** Programs of this machine: those on PATH, and those in the user's cache. */
import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Returns the path of the first program with this name on PATH. */
export function findProgram(name: string, env: NodeJS.ProcessEnv): string | undefined {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find(isProgram);
}

/** Returns whether the path is a file that may be executed. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Returns the path of a program in the user's cache, in a folder of its version: `…/atelier/temporal-1.5.1/temporal`.
 * @param file the name of the program's file, where it differs from its name
 */
export function cachedProgram(name: string, version: string, env: NodeJS.ProcessEnv, file = name): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'atelier', `${name}-${version}`, file);
}
