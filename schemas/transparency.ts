/** A rule that rejects JPEG for results with a transparent background. */
import type { RuleFailure } from './request.ts';

const failure: RuleFailure = {
  path: '/outputFormat',
  rule: 'combination',
  message: 'cannot be jpeg: the result has a transparent background. Use png or webp.',
};

/** A rule for operations whose result always has an alpha channel. */
export const alphaFormat: object = {
  not: { type: 'object', required: ['outputFormat'], properties: { outputFormat: { const: 'jpeg' } } },
  'x-rule': failure,
};
