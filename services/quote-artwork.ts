/** Completes, plans and prices a valid request. */
import type { Operation } from '../schemas/operation.ts';
import type { Plan } from '../schemas/plan.ts';
import { free, quote, type Quote } from '../schemas/price.ts';
import type { ApiKey } from '../store/entities.ts';
import type { CreationDependencies } from './dependencies.ts';
import type { References } from './request-references.ts';

export interface QuotedArtwork {
  /** The operation's fields, with the values that the client left open. */
  input: Record<string, unknown>;
  /** With `test: true` for a test key, so that embedded engines run all calls. */
  plan: Plan;
  /** Free for a test key. */
  quote: Quote;
  webhookUrl: string | null;
  metadata: Record<string, string>;
}

interface CompletedRequest extends Record<string, unknown> {
  webhookUrl?: string;
  metadata?: Record<string, string>;
}

export function quoteArtwork(
  deps: CreationDependencies,
  operation: Operation,
  key: ApiKey,
  { body, style, sizes }: References,
): QuotedArtwork {
  const completed = operation.complete(body, deps.newSeed) as CompletedRequest;
  const { webhookUrl = null, metadata = {}, ...input } = completed;
  const isTest = key.environment === 'test';
  const plan = { ...operation.plan(input, style), ...(isTest && { test: true }) };
  const price = isTest ? free : quote(deps.prices, { operation: operation.name, input, plan, sizes });
  return { input, plan, quote: price, webhookUrl, metadata };
}
