/** The edits that an instruction can request, as a JSON Schema. A list of edits is applied in order. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import Type, { type Static, type TProperties } from 'typebox';

/** Red, green and blue in display space, 0–1. */
export type Tone = readonly [number, number, number];
const tone = Type.Unsafe<Tone>(Type.Array(Type.Number({ minimum: 0, maximum: 1 }), { minItems: 3, maxItems: 3 }));

const where = Type.Object(
  {
    noun: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The object to which the edit applies, if a mask can be found for it.',
    }),
    outside: Type.Optional(Type.Boolean({ description: 'The edit applies to everything else.' })),
  },
  { additionalProperties: false },
);
/** The place where an edit applies. */
export type Where = Static<typeof where>;

const percent = Type.Number({ minimum: 0 });
const sides = Type.Object(
  { left: percent, right: percent, top: percent, bottom: percent },
  { additionalProperties: false, description: "Percent of the picture's size." },
);
/** Percent of the picture's size on each side. */
export type Sides = Static<typeof sides>;

const amount = Type.Number({ minimum: -20, maximum: 20, description: '0 changes nothing, 1 is strong.' });
const ratio = Type.String({ pattern: '^\\d+(\\.\\d+)?:\\d+(\\.\\d+)?$' });

const ofFrame = <K extends string, P extends TProperties>(kind: K, properties: P) =>
  Type.Object({ kind: Type.Literal(kind), ...properties }, { additionalProperties: false });
const local = <K extends string, P extends TProperties>(kind: K, properties: P) =>
  ofFrame(kind, { ...properties, where: Type.Optional(where) });

const grade = [
  local('exposure', { stops: Type.Number() }),
  local('contrast', { amount }),
  local('shadows', { amount }),
  local('highlights', { amount }),
  local('temperature', { amount }),
  local('saturation', { factor: Type.Number({ minimum: 0 }) }),
  local('tint', { colour: tone, amount }),
  local('monochrome', {}),
  local('sepia', { amount }),
  local('vintage', { amount }),
  local('invert', {}),
] as const;
const detail = [
  local('auto', {}),
  local('blur', { amount }),
  local('sharpen', { amount }),
  local('denoise', { amount }),
  local('clarity', { amount }),
  local('vignette', { amount }),
  local('grain', { amount }),
  local('pixelate', { amount }),
] as const;
const ofObject = [
  local('recolour', { colour: tone }),
  local('remove', {}),
  local('censor', { how: Type.Enum(['blur', 'pixelate']) }),
  local('defocus', { amount }),
  local('backdrop', {
    fill: Type.Union([
      tone,
      Type.Literal('transparent'),
      Type.Object({ scene: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
    ]),
  }),
] as const;
const frame = [
  ofFrame('crop', { ratio }),
  ofFrame('crop', { to: Type.String({ minLength: 1, maxLength: 200 }) }),
  ofFrame('crop', { zoom: Type.Number({ minimum: 1 }) }),
  ofFrame('crop', { off: sides }),
  ofFrame('extend', { ratio }),
  ofFrame('extend', { by: sides }),
  ofFrame('rotate', { degrees: Type.Number({ minimum: -360, maximum: 360 }) }),
  ofFrame('straighten', {}),
  ofFrame('flip', { axis: Type.Enum(['horizontal', 'vertical']) }),
  ofFrame('resize', { factor: Type.Number({ exclusiveMinimum: 0, maximum: 1 }) }),
] as const;

/** Changes of light and colour that depend on each pixel alone. */
export type GradeEdit = Static<(typeof grade)[number]>;
export type LocalEdit = GradeEdit | Static<(typeof detail)[number] | (typeof ofObject)[number]>;
export type FrameEdit = Static<(typeof frame)[number]>;
export type Edit = LocalEdit | FrameEdit;

const gradeKinds = new Set<string>(grade.map(({ properties }) => properties.kind.const));
export const isGradeEdit = (edit: Edit): edit is GradeEdit => gradeKinds.has(edit.kind);
const frameKinds = new Set<string>(frame.map(({ properties }) => properties.kind.const));
export const isFrameEdit = (edit: Edit): edit is FrameEdit => frameKinds.has(edit.kind);

/** The schema of the list of edits into which an instruction is read. */
export const editList = Type.Unsafe<Edit[]>(
  Type.Array(Type.Union([...grade, ...detail, ...ofObject, ...frame]), { minItems: 1 }),
);

let validate: ValidateFunction | undefined;

/** Returns the list if it matches the schema, else null. */
export function asEdits(list: unknown): Edit[] | null {
  validate ??= new Ajv2020({ strict: false, logger: false, validateSchema: false }).compile(editList);
  return validate(list) ? (list as Edit[]) : null;
}
