/** Reads the example engines files, and fills their templates for a call. */
import { readFile } from 'node:fs/promises';
import type { Task } from '../../../schemas/tasks.ts';
import { image } from './bench.ts';

export interface Binding {
  engine: string;
  model: string;
  input: Record<string, unknown>;
  output: { images: string; seed?: string };
}

const tasks: Readonly<Record<string, Task>> = {
  selena: 'text-to-image',
  quantum: 'text-to-image',
  hamilton: 'text-to-image',
  'style-dna': 'text-to-image',
  'selena-variete': 'vary-image',
  'photo-pilot': 'edit-image',
  'face-clarity': 'refine-face',
  'face-natural': 'refine-face',
  'face-portrait': 'refine-face',
  'face-swap': 'swap-face',
  upscaling: 'upscale',
  'detailer-upscaler': 'sharpen-detail',
  'remove-background': 'remove-background',
  segmentation: 'segment',
  'depth-map': 'estimate-depth',
};

/** Returns the bindings of image models to engines that are not embedded. */
export async function bindingsIn(file: string): Promise<(Binding & { name: string; task: Task })[]> {
  const text = await readFile(new URL(`../../../docs/engines/${file}`, import.meta.url), 'utf8');
  const { models } = JSON.parse(text) as { models: Record<string, Binding[]> };
  return Object.entries(models).flatMap(([name, bindings]) => {
    const task = tasks[name];
    return bindings.flatMap((binding) => (task && binding.engine !== 'local' ? [{ ...binding, name, task }] : []));
  });
}

/** Returns parameters with the fields of all tasks. */
export async function call(): Promise<Record<string, unknown>> {
  const picture = await image();
  return {
    styledPrompt: 'a fox, watercolour',
    styledInstruction: 'make it warmer',
    prompt: 'fox',
    negativePrompt: 'text',
    width: 512,
    height: 256,
    aspectRatio: '16:9',
    seed: 7,
    nsfw: false,
    image: picture,
    source: picture,
    target: picture,
    strength: 0.5,
    scale: 2,
    detail: 0.5,
    points: [{ x: 1, y: 2, label: 1 }],
  };
}

interface Reference {
  from: string;
  values?: Record<string, unknown>;
  range?: [number, number];
}

/** Returns the template with values in place of references. @throws Error for a reference to an unknown field */
export function filled(template: unknown, fields: Record<string, unknown>): unknown {
  if (typeof template !== 'object' || template === null) return template;
  if (Array.isArray(template)) return template.map((item) => filled(item, fields));
  if (!('from' in template)) {
    return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, filled(value, fields)]));
  }
  const { from, values, range } = template as Reference;
  if (!(from in fields)) throw new Error(`No call has a field ${from}`);
  if (values) return values[String(fields[from])];
  return range ? range[0] + (range[1] - range[0]) * (fields[from] as number) : fields[from];
}

/** Returns the values to which a pointer with `*` leads. */
export function at(pointer: string, value: unknown): unknown[] {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown[]>(
      (found, step) =>
        found.flatMap((each) => {
          const fields = Object(each) as Record<string, unknown>;
          return step === '*' ? Object.values(fields) : step in fields ? [fields[step]] : [];
        }),
      [value],
    );
}
