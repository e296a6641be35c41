/** Finds the files of Go modules, and builds programs whose module `go install` refuses. */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { run } from '../image/run.ts';
import { findGo } from './go-program.ts';
import { isProgram } from './programs.ts';

/** Returns the folder of a module, such as `go.temporal.io/server@v1.29.1`. */
export async function goModule(module: string): Promise<string> {
  const go = findGo(process.env);
  const { Dir } = JSON.parse(await run(go, ['mod', 'download', '-json', module], tmpdir())) as { Dir: string };
  return Dir;
}

/**
 * Builds a program as a dependency of an empty module, because `go install` refuses modules that exclude versions of
 * others.
 * @param program its package with its version
 * @param file where it is built, unless it exists
 */
export async function buildAsDependency(module: string, version: string, program: string, file: string) {
  if (isProgram(file)) return file;
  const go = findGo(process.env);
  const folder = await mkdtemp(join(tmpdir(), 'atelier-go-'));
  try {
    await run(go, ['mod', 'init', 'build'], folder);
    await writeFile(join(folder, 'main.go'), `package main\nimport _ "${program}"\n`);
    await run(go, ['get', `${module}@${version}`], folder);
    await run(go, ['mod', 'tidy'], folder);
    await run(go, ['build', '-o', 'program', program], folder);
    await mkdir(dirname(file), { recursive: true });
    await rename(join(folder, 'program'), file);
    return file;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
