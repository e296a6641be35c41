/** The operator's files, and the arguments and outputs of the operator's command. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { embedded } from '../../../engines/embedded.ts';
import { readEngines } from '../../../engines/read.ts';
import { integer } from '../../../operator/arguments.ts';
import { printable, printableJson } from '../../../operator/printable.ts';
import { readSeal } from '../../../operator/seals-in-log.ts';
import { StartupError } from '../../../runtime/startup-error.ts';
import { sealedMessage } from '../../../schemas/audit.ts';
import { findOperations } from '../../../services/operations.ts';
import { readPrices } from '../../../services/prices.ts';
import { Violation } from '../measure.ts';
import { bytesOf, type Parsers, type Table } from '../parser.ts';

const mayThrow = (error: unknown) => error instanceof StartupError;

const root = new URL('../../../', import.meta.url);
const example = (file: string) => readFileSync(new URL(file, root), 'latin1');

/** Characters. The library for YAML takes quadratic time for thousands of mistakes, in a file that an operator wrote. */
const longest = 4096;
/** Returns the engines and the first two models of an engines file. */
function shortened(text: string): string {
  const { engines, models } = JSON.parse(text) as { engines: object; models: object };
  return JSON.stringify({ engines, models: Object.fromEntries(Object.entries(models).slice(0, 2)) });
}

/** Milliseconds to compile the schema of a file, for each file. */
const base = 1000;

export const open: Table['open'] = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-fuzz-'));
  const file = join(folder, 'file');
  const operations = await findOperations();
  const own = embedded();
  const viaFile = (read: () => unknown) => async (input: string) => {
    await writeFile(file, bytesOf(input));
    return read();
  };
  const parsers: Parsers = {
    'the engines file': {
      modules: ['runtime/operator-file.ts', 'engines/read.ts', 'engines/configured.ts', 'engines/upstream/mapping.ts'],
      examples: [
        'engines:\n  a: {protocol: replicate, key: A}\nmodels:\n  selena:\n    - &a {engine: a, model: b/c, input: {prompt: {from: prompt}}}\n  quantum: [*a]\n',
        shortened(example('docs/engines/all-replicate.json')),
        '{"engines":{"a":{"protocol":"fal","key":"K"}},"models":{"selena":[{"engine":"a","model":"a/b","input":{"prompt":{"from":"prompt"}},"timeout":"5m"}]},"deadlines":{"selena":"1h"}}',
      ],
      longest,
      base,
      mayThrow,
      parse: viaFile(() => readEngines(file, own, () => 'key')),
    },
    'the price list': {
      modules: ['runtime/operator-file.ts', 'services/prices.ts'],
      examples: [example('docs/examples/prices.json')],
      longest,
      base,
      mayThrow,
      parse: viaFile(() => readPrices(file, operations)),
    },
    'an argument of the command': {
      modules: ['operator/arguments.ts'],
      examples: ['10', '0'],
      seeds: ['-5'],
      mayThrow: (error) => error instanceof InvalidArgumentError,
      parse: (input) => integer(input, 0),
    },
    'a line of the log of a worker': {
      modules: ['operator/seals-in-log.ts'],
      examples: [
        `worker-1 | {"level":30,"time":1,"msg":"${sealedMessage}","orgId":null,"seal":1,"sha256":"a"}`,
        '{"level":30,"time":1,"msg":"Worker is ready"}',
      ],
      parse: readSeal,
    },
    'a label that the command prints': {
      modules: ['operator/printable.ts'],
      examples: ['a label', '\u001b[31mred', '\u202eabc'],
      parse(input) {
        printable(input);
        const { input: same } = JSON.parse(printableJson({ input })) as { input: string };
        if (same !== input) throw new Violation('changes a text');
      },
    },
  };
  return { parsers, close: () => rm(folder, { recursive: true }) };
};
