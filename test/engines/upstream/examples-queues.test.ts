/** The shipped example files for fal and Replicate: every binding makes an image, in fields that the provider documents. */
import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import ts from 'typescript';
import { fal } from '../../../engines/upstream/fal/protocol.ts';
import { compileMapping } from '../../../engines/upstream/mapping.ts';
import { replicate } from '../../../engines/upstream/replicate/protocol.ts';
import { ratios } from '../../../schemas/ratios.ts';
import type { InputImage, Task } from '../../../schemas/tasks.ts';
import { startFal } from '../../upstreams/fal.ts';
import { startReplicate } from '../../upstreams/replicate.ts';
import { bench, run } from './bench.ts';
import { at as found, bindingsIn, call, filled } from './examples.ts';

const examples = [
  { protocol: fal, start: startFal, bindings: await bindingsIn('all-fal.json') },
  { protocol: replicate, start: startReplicate, bindings: await bindingsIn('all-replicate.json') },
] as const;

describe.each(examples)('all-$protocol.name.json', ({ protocol, start, bindings }) => {
  const at = bench(protocol, start);

  test('binds a model for every task', () => {
    const bound = new Set<string>(bindings.map(({ task }) => task));
    const missing = protocol.tasks.filter((task) => !bound.has(task));
    expect(missing).toEqual(protocol === fal ? ['swap-face'] : []);
  });

  test.each(bindings)('$name by $model', async ({ model, task, input, output }) => {
    const made = await run(at, model, filled(input, await call()) as Record<string, unknown>, { task });
    const links = found(output.images, made);
    expect(links).toHaveLength(1);
    const file = await fetch(links[0] as string);
    const { width, height, hasAlpha, channels } = await sharp(await file.arrayBuffer()).metadata();
    if (task === 'upscale' || task === 'sharpen-detail') expect([width, height]).toEqual([128, 128]);
    if (task === 'refine-face') expect(width).toBeGreaterThanOrEqual(64);
    if (task === 'remove-background') expect(hasAlpha).toBe(true);
    if (task === 'estimate-depth') expect(channels).toBe(1);
    if (output.seed) expect(found(output.seed, made)).toEqual([expect.any(Number)]);
  });
});

test('all-fal.json uses only fields and values that the types of the fal client define', async () => {
  const file = 'node_modules/@fal-ai/client/src/types/endpoints.d.ts';
  const program = ts.createProgram([file], { noLib: true, strict: true, types: [] });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const map = module && checker.getExportsOfModule(module).find(({ name }) => name === 'EndpointTypeMap');
  if (!map) throw new Error('The client has no types of endpoints');
  const endpoints = checker.getDeclaredTypeOfSymbol(map);
  for (const { model, task, input } of examples[0].bindings) {
    const inputs = await inputsOf(task, input);
    const endpoint = endpoints.getProperty(model);
    const shape = endpoint && checker.getTypeOfSymbol(endpoint).getProperty('input');
    if (!shape) throw new Error(`fal has no ${model}`);
    const fields = checker.getTypeOfSymbol(shape).getProperties();
    expect(fields.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(input)));
    const required = fields.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional)).map(({ name }) => name);
    expect(Object.keys(input)).toEqual(expect.arrayContaining(required));
    for (const [name, value] of Object.entries(input)) {
      const field = fields.find((each) => each.name === name);
      const type =
        field && checker.typeToString(checker.getTypeOfSymbol(field), undefined, ts.TypeFormatFlags.NoTruncation);
      const values = [...(typeof value === 'string' ? [value] : textsOf(value)), ...textsIn(inputs, name)];
      if (type?.includes('"')) for (const each of values) expect(type).toContain(`"${each}"`);
    }
  }
});

/** Returns the texts that a reference can produce. */
function textsOf(template: unknown): string[] {
  const { values, default: otherwise } = Object(template) as { values?: Record<string, unknown>; default?: unknown };
  return [...Object.values(values ?? {}), otherwise].filter((each) => typeof each === 'string');
}

/** Aspect ratios that the models' pages list. */
const shapes: Readonly<Record<string, readonly string[]>> = {
  quantum: ['1:1', '16:9', '21:9', '3:2', '2:3', '4:5', '5:4', '9:16', '9:21'],
  hamilton: ['1:1', '16:9', '9:16', '4:3', '3:4'],
  'photo-pilot': [
    ...['match_input_image', '1:1', '16:9', '21:9', '3:2', '2:3', '4:5', '5:4'],
    ...['3:4', '4:3', '9:16', '9:21'],
  ],
};

test('all-replicate.json requests only shapes that its models support', async () => {
  const shaped = examples[1].bindings.filter(({ input }) => 'aspect_ratio' in input);
  expect(shaped.map(({ name }) => name)).toEqual(Object.keys(shapes));
  for (const { name, task, input } of shaped) {
    const requested = textsIn(await inputsOf(task, input), 'aspect_ratio');
    expect(requested).toHaveLength(ratios.length + 1);
    expect(shapes[name]).toEqual(expect.arrayContaining(requested));
  }
});

/** Returns the inputs that a template produces for an image of an odd size: without a ratio, and with each one. */
async function inputsOf(task: Task, template: Record<string, unknown>): Promise<Record<string, unknown>[]> {
  const params = await call();
  const odd = { ...(params['image'] as InputImage), width: 1333, height: 1001 };
  const { fill } = compileMapping(task, template);
  return [null, ...ratios.map(({ id }) => id)].map((aspectRatio) =>
    fill({ ...params, width: 1333, height: 1001, image: odd, source: odd, target: odd, aspectRatio }),
  );
}

const textsIn = (inputs: readonly Record<string, unknown>[], name: string): string[] =>
  inputs.map((fields) => fields[name]).filter((value) => typeof value === 'string');
