/** The engines of a worker: those of the operator's file, or the embedded ones. */
import { dirname } from 'node:path';
import { readOperatorFile } from '../runtime/operator-file.ts';
import { enginesFile } from '../schemas/engines-file.ts';
import type { Bindings } from './catalogue.ts';
import { configured } from './configured.ts';

/**
 * @param own the embedded engines, for models that the file does not bind
 * @param key gives an environment variable, for API keys
 * @throws FileError that names each mistake with its line
 */
export async function readEngines(
  file: string,
  own: Bindings,
  key: (variable: string) => string | undefined,
): Promise<Bindings> {
  const { value, refuse } = await readOperatorFile(file, enginesFile);
  const { mistakes, ...bindings } = await configured(value, { key, folder: dirname(file) }, own);
  refuse(mistakes);
  return bindings;
}
