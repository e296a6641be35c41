/**
 * Classifies every field of every image task for mappings. A task that gains a field does not compile until the field
 * is classified here, and a field without a rule is refused at run time.
 */
import type { Tasks } from '../contract/index.ts';
import type { ImageTask } from './image-tasks.ts';

export type FieldRule =
  /** Every mapping must use the field. */
  | { kind: 'required' }
  /** A mapping that does not use the field refuses each value that is not neutral. */
  | { kind: 'optional'; neutral: readonly unknown[] }
  /** As `optional`, but a mapping can use the field only through a derived field. */
  | { kind: 'derived-only'; neutral: readonly unknown[] }
  /** A mapping may leave the field out: we correct the result, or report that the field was not used. */
  | { kind: 'corrected' }
  /** Describes another field, which has its own rule. A mapping may use this one instead. */
  | { kind: 'describes'; field: string }
  /** When this field is true, a mapping may ignore the other field. No mapping uses this field itself. */
  | { kind: 'relaxes'; field: string };

/** A rule for each field of a task's parameters. */
export type FieldRules<Params> = Readonly<Record<keyof Params, FieldRule>>;

const required = { kind: 'required' } as const;
const corrected = { kind: 'corrected' } as const;
const optional = (...neutral: unknown[]) => ({ kind: 'optional', neutral }) as const;

/** `outputFormat`: the result is encoded again. `nsfw`: our own check inspects the result. */
const common = { nsfw: corrected, outputFormat: corrected } as const;
/** A result has the seed that the provider's output states, and `seed: null` where it states none. */
const seed = corrected;
const styleWords = { kind: 'describes', field: 'style' } as const;
const styleDna = { kind: 'derived-only', neutral: [null] } as const;
const image = required;

export const fieldRules = {
  'text-to-image': {
    prompt: required,
    negativePrompt: optional(null),
    style: optional(null),
    styleWords,
    // The result is cropped and resized.
    width: corrected,
    height: corrected,
    seed,
    transparentBackground: optional(false),
    backgroundMayStay: { kind: 'relaxes', field: 'transparentBackground' },
    seamless: optional(false),
    styleDna,
    ...common,
  },
  'vary-image': {
    image,
    prompt: optional(null),
    style: optional(null),
    styleWords,
    strength: optional(0.6),
    seed,
    seamless: optional(false),
    ...common,
  },
  'edit-image': {
    image,
    instruction: required,
    mask: optional(null),
    // The result is cropped. A template uses the derived field of the same name.
    aspectRatio: corrected,
    seed,
    styleDna,
    ...common,
  },
  'refine-face': { image, ...common },
  'swap-face': { source: required, target: required, ...common },
  upscale: { image, scale: required, ...common },
  'sharpen-detail': { image, scale: optional(1), detail: optional(0.5), ...common },
  'remove-background': { image, ...common },
  segment: { image, prompt: optional(null), points: optional(null), ...common },
  'estimate-depth': { image, ...common },
} as const satisfies { readonly [T in ImageTask]: FieldRules<Tasks[T]> };

/** Fields of which a mapping must use at least one. */
export const alternatives: { readonly [T in ImageTask]?: readonly (keyof Tasks[T])[] } = {
  segment: ['prompt', 'points'],
};

type FieldOf<T extends ImageTask> = T extends ImageTask ? keyof Tasks[T] & string : never;

/** Fields that are computed from others (`field-values.ts`), with the fields that they stand for. */
export const derivedFields = {
  styledPrompt: ['prompt', 'style', 'styleDna'],
  styledInstruction: ['instruction', 'styleDna'],
  size: ['width', 'height', 'aspectRatio'],
  aspectRatio: ['width', 'height', 'aspectRatio'],
} as const satisfies Record<string, readonly FieldOf<ImageTask>[]>;

type DerivedField = keyof typeof derivedFields;

type Rules = typeof fieldRules;

type DirectField<T extends ImageTask> = {
  [F in keyof Rules[T]]: Rules[T][F] extends { kind: 'derived-only' | 'relaxes' } ? never : F & string;
}[keyof Rules[T]];

/** The fields that a template for the task can name under `from`. */
export type TemplateField<T extends ImageTask> = DirectField<T> | DerivedField;

/** Returns the rules of a task by field name, or undefined for a field that the task does not have. */
export function ruleOf(task: ImageTask, field: string): FieldRule | undefined {
  const rules: Readonly<Record<string, FieldRule>> = fieldRules[task];
  return Object.hasOwn(rules, field) ? rules[field] : undefined;
}

export const fieldNames = (task: ImageTask): string[] => Object.keys(fieldRules[task]);

/** Returns the fields that a derived field stands for, and any other field itself. */
export function standsFor(field: string): readonly string[] {
  return Object.hasOwn(derivedFields, field) ? derivedFields[field as DerivedField] : [field];
}

/** Returns whether a template for the task can name the field under `from`. */
export function isTemplateField(task: ImageTask, field: string): boolean {
  if (Object.hasOwn(derivedFields, field)) return true;
  const rule = ruleOf(task, field);
  return rule !== undefined && rule.kind !== 'derived-only' && rule.kind !== 'relaxes';
}
