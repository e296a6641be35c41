/** Reads an operator's JSON or YAML file and validates it. Errors name the line of each mistake. */
import { readFile } from 'node:fs/promises';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Static, TSchema } from 'typebox';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { messageFor, type Mistake } from '../schemas/mistake.ts';
import { StartupError } from './startup-error.ts';

/** Lists mistakes with their line, such as `engines.json:12 /models/selena is not known`. */
class FileError extends StartupError {
  override readonly name = 'FileError';
}

export interface OperatorFile<T> {
  value: T;
  /** Reports mistakes that the schema cannot detect. @throws FileError unless `mistakes` is empty */
  refuse(mistakes: readonly Mistake[]): void;
}

/**
 * @param setting where the operator names the file, such as `ATELIER_PRICES`
 * @throws FileError that lists all mistakes
 */
export async function readOperatorFile<T extends TSchema>(
  file: string,
  schema: T,
  setting: string,
): Promise<OperatorFile<Static<T>>> {
  const { value, lineOf } = parse(file, await read(file, setting));
  const refuse = (mistakes: readonly Mistake[]): void => {
    const lines = mistakes.map(({ path, message }) => `${file}:${lineOf(path)} ${path || '/'} ${message}`);
    if (lines.length > 0) throw new FileError([...new Set(lines)].join('\n'));
  };
  // The meta-schema takes long to compile, and the tests check our schemas.
  const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, validateSchema: false });
  const validate = ajv.compile<Static<T>>(schema);
  if (!validate(value)) refuse((validate.errors ?? []).map(mistakeOf));
  return { value: value as Static<T>, refuse };
}

function parse(file: string, text: string): { value: unknown; lineOf(path: string): number } {
  const counter = new LineCounter();
  // Names that are no texts would take quadratic time.
  const document = parseDocument(text, { lineCounter: counter, stringKeys: true });
  const [broken] = document.errors;
  if (broken) {
    // The message of the library is about its options.
    const isName = broken.code === 'NON_STRING_KEY';
    const message = isName ? 'has a field whose name is not a text' : broken.message.split('\n')[0];
    throw new FileError(`${file}:${counter.linePos(broken.pos[0]).line} ${message}`);
  }
  const lineOf = (path: string): number => {
    const parts = path.split('/').slice(1).map(unescape);
    // A missing field has no line, so this uses the line of the closest parent.
    for (; ; parts.pop()) {
      const node = document.getIn(parts, true);
      if (isNode(node) && node.range) return counter.linePos(node.range[0]).line;
      if (parts.length === 0) return 1;
    }
  };
  return { value: valueOf(document, file), lineOf };
}

/** @throws FileError for an alias without its anchor, and for aliases that stand for so many values that they fill the memory */
function valueOf(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw new FileError(`${file} has an alias (*) that cannot be used. Repeat its value.`);
  }
}

async function read(file: string, setting: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new FileError(`${file} cannot be read (${code}). Check ${setting}.`);
  }
}

const unescape = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

function mistakeOf({ instancePath, keyword, params: all, parentSchema }: ErrorObject): Mistake {
  const params = all as Record<string, unknown>;
  const { additionalProperty, missingProperty, allowedValues } = params;
  if (keyword === 'additionalProperties') {
    const known = Object.keys((parentSchema?.['properties'] ?? {}) as object).join(', ');
    const step = String(additionalProperty).replaceAll('~', '~0').replaceAll('/', '~1');
    const expected = known ? `known fields: ${known}` : 'no fields are known here';
    const message = parentSchema?.['patternProperties']
      ? `has an invalid name. Expected: ${String(parentSchema['description'])}`
      : `is not known; ${expected}`;
    return { path: `${instancePath}/${step}`, message };
  }
  if (keyword === 'required') return { path: `${instancePath}/${String(missingProperty)}`, message: 'is missing' };
  if (keyword === 'enum') {
    return { path: instancePath, message: `must be one of: ${(allowedValues as unknown[]).join(', ')}` };
  }
  const examples = parentSchema?.['examples'] as unknown[] | undefined;
  if (keyword === 'pattern') {
    const form = examples ? `look like ${examples.join(' or ')}` : `match the pattern ${String(params['pattern'])}`;
    return { path: instancePath, message: `must ${form}` };
  }
  return { path: instancePath, message: messageFor(keyword, params) };
}
