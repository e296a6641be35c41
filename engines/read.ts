/** Reads the operator's engines file. */
import { dirname } from 'node:path';
import { readOperatorFile } from '../runtime/operator-file.ts';
import { enginesFile } from '../schemas/engines-file.ts';
import type { Bindings } from './catalogue.ts';
import { configured } from './configured.ts';

/**
 * Returns the bindings of the file.
 * @param own embedded bindings, for models that the file does not bind
 * @param key returns an API key by the name of its environment variable
 * @throws FileError that lists each mistake with its line
 */
export async function readEngines(
  file: string,
  own: Bindings,
  key: (variable: string) => string | undefined,
): Promise<Bindings> {
  const { value, refuse } = await readOperatorFile(file, enginesFile, 'ATELIER_ENGINES or --file');
  const { mistakes, ...bindings } = await configured(value, { key, folder: dirname(file) }, own);
  refuse(mistakes);
  return bindings;
}
