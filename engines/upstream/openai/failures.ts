/** Meaning of the error codes of OpenAI, and of Azure and OpenRouter, which use the same format. */
import type { Failure } from '../failures.ts';

export const openaiCodes: readonly (readonly [code: string, failure: Failure])[] = [
  ['content_policy_violation', 'refused'],
  ['content_filter', 'refused'],
  ['moderation_blocked', 'refused'],
  ['ResponsibleAIPolicyViolation', 'refused'],
  // The type of all newer codes for a missing balance.
  ['insufficient_quota', 'quota-exceeded'],
  ['billing_hard_limit_reached', 'payment-required'],
  ['model_not_found', 'not-found'],
];
