/** From the fields of a call to those of a provider, as an operator's template says. Nothing a client asked for is dropped. */
import type { Task } from '../../schemas/tasks.ts';
import { EngineError } from '../contract/index.ts';
import { fieldsOf } from './fields.ts';
import { type Sources, sourcesOf } from './sources.ts';

/** In a template: takes a field's value in place of itself. */
interface Reference {
  from: string;
  /** The provider's value for each of ours, by its text. A value that is not here cannot be asked for. */
  values?: Record<string, unknown>;
  /** What the provider knows: the nearest number, or for `size` and `aspectRatio` the nearest shape, is taken. */
  nearest?: (number | string)[];
  /** What a field that runs from 0 to 1 is stretched to. */
  range?: [number, number];
  /** In place of what the request left open. Without it the provider's field is left out, or has the image's own shape. */
  default?: unknown;
}

export interface Mapping {
  /** The fields of ours that the template refers to, directly or through a derived one. */
  readonly fields: ReadonlySet<string>;
  /** Fields of a call that ask for something and that no reference takes up. */
  refuses(params: Readonly<Record<string, unknown>>): string[];
  /** @throws EngineError `input_invalid`, for the client, when a value is none that the provider has */
  fill(params: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/** What derived fields stand for. */
const covered: Readonly<Record<string, readonly string[]>> = {
  styledPrompt: ['prompt', 'style', 'styleDna'],
  styledInstruction: ['instruction', 'styleDna'],
  size: ['width', 'height', 'aspectRatio'],
  aspectRatio: ['width', 'height', 'aspectRatio'],
};

/**
 * Values that ask for nothing, so that a provider which cannot do more need not be told. What is missing here is held
 * to by what we do with its answer: its size and format are made those of the request, a seed that was not used is not
 * shown, and `nsfw` has its own check.
 */
const neutral: Readonly<Record<string, readonly unknown[]>> = {
  prompt: [null],
  negativePrompt: [null],
  style: [null],
  styleDna: [null, undefined],
  seamless: [false],
  transparentBackground: [false],
  mask: [null],
  points: [null],
  strength: [0.6],
  detail: [0.5],
  scale: [1],
};

/** What is only wished for where another field of the call says so. */
const wishes: Readonly<Record<string, string>> = { transparentBackground: 'backgroundMayStay' };

/** @throws Error that says what is wrong with the template, for an operator */
export function compileMapping(task: Task, template: Readonly<Record<string, unknown>>): Mapping {
  const known = fieldsOf(task);
  if (!known) throw new Error(`no provider can be asked to ${task}`);
  const taken = [...references(template)].map(({ from }) => from);
  const strange = taken.find((field) => !known.has.includes(field));
  if (strange) throw new Error(`its input takes from "${strange}"; to ${task} has ${known.has.join(', ')}`);
  const fields = new Set(taken.flatMap((field) => covered[field] ?? [field]));
  for (const row of known.needs) {
    if (row.some((field) => fields.has(field))) continue;
    throw new Error(`its input takes nothing from "${row.join('" or "')}", without which it cannot ${task}`);
  }
  return {
    fields,
    refuses: (params) =>
      Object.entries(params)
        .filter(([field, value]) => !fields.has(field) && neutral[field]?.includes(value) === false)
        .filter(([field]) => params[wishes[field] ?? ''] !== true)
        .map(([field]) => field),
    fill: (params) => fill(template, sourcesOf(task, params)) as Record<string, unknown>,
  };
}

/** The provider's fields that are left out when a call leaves ours open. */
export function openIn(task: Task, template: object): string[] {
  const { open = [] } = fieldsOf(task) ?? {};
  const isOpen = (value: unknown) =>
    [...references(value)].some(({ from, default: fallback }) => open.includes(from) && fallback === undefined);
  return Object.entries(template).flatMap(([name, value]) => (isOpen(value) ? [name] : []));
}

function* references(value: unknown): Generator<Reference> {
  if (typeof value !== 'object' || value === null) return;
  if (isReference(value)) {
    yield value;
    return;
  }
  for (const inner of Object.values(value)) yield* references(inner);
}

const isReference = (value: object): value is Reference => 'from' in value && typeof value.from === 'string';

/** Without what is undefined: a provider's field that nobody has a value for is not sent. */
function fill(value: unknown, sources: Sources): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isReference(value)) {
    const { from, default: otherwise } = value;
    return valueOf(value, sources.asked[from] ?? otherwise ?? sources.implied[from]);
  }
  if (Array.isArray(value)) {
    return value.map((inner: unknown) => fill(inner, sources)).filter((inner) => inner !== undefined);
  }
  const entries = Object.entries(value).map(([name, inner]) => [name, fill(inner, sources)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}

function valueOf({ from, values, nearest, range }: Reference, value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (nearest) return nearestOf(nearest, value);
  if (range && typeof value === 'number') return range[0] + value * (range[1] - range[0]);
  if (!values) return value;
  const key = typeof value === 'string' ? value : JSON.stringify(value);
  if (Object.hasOwn(values, key)) return values[key];
  const known = Object.keys(values).join(', ');
  throw new EngineError('input_invalid', `The model has no value for a ${from}`, {
    publicMessage: `The model cannot do this "${from}". It can do: ${known}.`,
  });
}

function nearestOf(list: readonly (number | string)[], value: unknown): unknown {
  const wanted = measure(value);
  // A default such as `auto` is near to nothing: it is the provider's own word.
  if (Number.isNaN(wanted)) return value;
  return [...list].sort((a, b) => Math.abs(measure(a) - wanted) - Math.abs(measure(b) - wanted))[0];
}

/** Shapes (`1344x768`, `16:9`) compare by the logarithm of their ratio, so that wide and tall are as far from square. */
function measure(value: unknown): number {
  const [, width, height] = /^(\d+)[x:](\d+)$/u.exec(String(value)) ?? [];
  return width && height ? Math.log(Number(width) / Number(height)) : Number(value);
}
