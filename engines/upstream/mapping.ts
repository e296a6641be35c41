/** Maps the fields of a call to those of a provider by an operator's template, and refuses what it cannot map. */
import { EngineError, type Task } from '../contract/index.ts';
import { type FieldValues, fieldValues } from './field-values.ts';
import { alternatives, derivedFields, fieldNames, isTemplateField, ruleOf, standsFor } from './fields.ts';
import { fitSize, isSizeRange, type SizeRange, sizeRangeFields } from './fit-size.ts';
import { type ImageTask, isImageTask } from './image-tasks.ts';

type Params = Readonly<Record<string, unknown>>;

/** The part of a template that stands for the value of one of our fields. */
export interface Reference<Field extends string = string> {
  readonly from: Field;
  /** The provider's value for each of ours, by its text. Any other value is refused. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Values that the provider accepts. The nearest number is used, or for `size` and `aspectRatio` the nearest shape. */
  readonly nearest?: readonly (number | string)[];
  /** For `size`: the range of sizes that the provider accepts. */
  readonly fit?: SizeRange;
  /** Scales a field from 0 to 1 to this range. */
  readonly range?: readonly [number, number];
  /**
   * Value for a field that the request left open. Without a default the provider's field is left out, or has the shape
   * of the input image.
   */
  readonly default?: unknown;
}

export interface Mapping {
  /** Fields of ours that the template uses, directly or through a derived field. */
  readonly fields: ReadonlySet<string>;
  /** The fields of the template that are the same in every call. */
  readonly constants: Params;
  /** Returns the fields of a call that request something which the template does not use. */
  refuses(params: Params): string[];
  /** @throws EngineError `input_invalid` with a message for the client when the provider does not have a value */
  fill(params: Params): Record<string, unknown>;
}

/** @throws Error with a message for the operator when the template is wrong */
export function compileMapping(task: Task, template: Params): Mapping {
  if (!isImageTask(task)) throw new Error(`no provider of images supports the task ${task}`);
  const used = [...references(template)].map(({ from }) => from);
  const unknown = used.find((field) => !isTemplateField(task, field));
  if (unknown !== undefined) {
    throw new Error(`its input uses the unknown field "${unknown}". Fields of ${task}: ${templateFields(task)}`);
  }
  for (const { from, fit } of references(template)) {
    if (!fit || (from === 'size' && isSizeRange(fit))) continue;
    throw new Error(`its input has a "fit" that is not beside "from": "size", or lacks one of ${sizeRangeFields}`);
  }
  const fields = new Set(used.flatMap(standsFor));
  for (const group of requiredFields(task)) {
    if (group.some((field) => fields.has(field))) continue;
    throw new Error(`its input does not use "${group.join('" or "')}", which ${task} requires. Add it to "input"`);
  }
  const constants = Object.entries(template).filter(([, value]) => references(value).next().done);
  return {
    fields,
    constants: Object.fromEntries(constants),
    refuses: (params) => Object.keys(params).filter((field) => !fields.has(field) && isRequested(task, field, params)),
    fill: (params) => fill(template, fieldValues(task, params)) as Record<string, unknown>,
  };
}

/** Returns the provider's fields that are left out when a call leaves our field open. */
export function optionalFields(task: Task, template: object): string[] {
  if (!isImageTask(task)) return [];
  const isOptional = (value: unknown) =>
    [...references(value)].some(({ from, default: fallback }) => isNullable(task, from) && fallback === undefined);
  return Object.entries(template).flatMap(([name, value]) => (isOptional(value) ? [name] : []));
}

/** Returns whether a field asks for something that only the provider can do. An unknown field always does. */
function isRequested(task: ImageTask, field: string, params: Params): boolean {
  const value = params[field];
  if (value === undefined) return false;
  const rule = ruleOf(task, field);
  if (!rule) return true;
  switch (rule.kind) {
    case 'required':
      return true;
    case 'corrected':
    case 'describes':
    case 'relaxes':
      return false;
    case 'optional':
    case 'derived-only':
      return !rule.neutral.includes(value) && !isRelaxed(task, field, params);
  }
}

function isRelaxed(task: ImageTask, field: string, params: Params): boolean {
  return Object.keys(params).some((name) => {
    const rule = ruleOf(task, name);
    return rule?.kind === 'relaxes' && rule.field === field && params[name] === true;
  });
}

/** Returns groups of fields; a template must use at least one field of each group. */
function requiredFields(task: ImageTask): (readonly string[])[] {
  const single = fieldNames(task).filter((field) => ruleOf(task, field)?.kind === 'required');
  const group = alternatives[task];
  return [...single.map((field) => [field]), ...(group ? [group] : [])];
}

function templateFields(task: ImageTask): string {
  const direct = fieldNames(task).filter((field) => isTemplateField(task, field));
  return [...new Set([...direct, ...Object.keys(derivedFields)])].join(', ');
}

/** Returns whether a call can leave the field open. The shape is never open: the input image has one. */
function isNullable(task: ImageTask, field: string): boolean {
  if (field === 'size' || field === 'aspectRatio') return false;
  const parts = standsFor(field).flatMap((part) => ruleOf(task, part) ?? []);
  return parts.every((rule) => {
    if (rule.kind === 'describes') return isNullable(task, rule.field);
    return (rule.kind === 'optional' || rule.kind === 'derived-only') && rule.neutral.includes(null);
  });
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

/** Returns a copy with values in place of references; fields without a value are left out. */
function fill(value: unknown, values: FieldValues): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isReference(value)) {
    const { from, default: fallback } = value;
    return convert(value, values.requested[from] ?? fallback ?? values.implied[from]);
  }
  if (Array.isArray(value)) {
    return value.map((inner: unknown) => fill(inner, values)).filter((inner) => inner !== undefined);
  }
  const entries = Object.entries(value).map(([name, inner]) => [name, fill(inner, values)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}

function convert({ from, values, nearest, fit, range }: Reference, value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (nearest) return nearestOf(nearest, value);
  if (fit && typeof value === 'string') return fitSize(value, fit);
  if (range && typeof value === 'number') return range[0] + value * (range[1] - range[0]);
  if (!values) return value;
  const key = typeof value === 'string' ? value : JSON.stringify(value);
  if (Object.hasOwn(values, key)) return values[key];
  const supported = Object.keys(values).join(', ');
  throw new EngineError('input_invalid', `The model does not support this value of ${from}`, {
    publicMessage: `The model does not support this value of "${from}". Supported values: ${supported}.`,
  });
}

function nearestOf(list: readonly (number | string)[], value: unknown): unknown {
  const wanted = measure(value);
  // A default such as `auto` is a word of the provider and has no distance.
  if (Number.isNaN(wanted)) return value;
  return [...list].sort((a, b) => Math.abs(measure(a) - wanted) - Math.abs(measure(b) - wanted))[0];
}

/** Shapes (`1344x768`, `16:9`) are compared by the logarithm of their ratio, so wide and tall are equally far from square. */
function measure(value: unknown): number {
  const [, width, height] = /^(\d+)[x:](\d+)$/u.exec(String(value)) ?? [];
  return width && height ? Math.log(Number(width) / Number(height)) : Number(value);
}
