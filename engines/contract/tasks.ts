/** The tasks that engines perform, with the schemas and limits of their parameters and results. */
export type { ErrorCode } from '../../schemas/errors.ts';
export { hamilton } from '../../schemas/families/hamilton.ts';
export { quantum } from '../../schemas/families/quantum.ts';
export { selena } from '../../schemas/families/selena.ts';
export { mostPixelsOut, type OutputFormat, outputFormats } from '../../schemas/image.ts';
export { whyTooLarge } from '../../schemas/sizes.ts';
export {
  type EncodedStyle,
  type StyleMeasure,
  styleMeasure,
  type StyleWords,
  styleWords,
} from '../../schemas/style-dna.ts';
export type * from '../../schemas/tasks.ts';
export {
  type JsonFormat,
  type Purpose,
  type Purposes,
  styleOptions,
  type Writing,
  writing,
  type Written,
} from '../../schemas/writing.ts';
