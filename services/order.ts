/** What a request comes to before anything is made of it: completed, planned and priced. */
import type { Operation } from '../schemas/operation.ts';
import type { Plan } from '../schemas/plan.ts';
import { free, quote, type Quote } from '../schemas/price.ts';
import type { DryRun } from '../schemas/creation.ts';
import type { ApiKey } from '../store/entities.ts';
import type { CreationDependencies } from './dependencies.ts';
import type { Intake } from './intake.ts';

export interface Order {
  /** The request without what is not the operation's, and with what its client left open. */
  input: Record<string, unknown>;
  /** Embedded engines carry out that of a test key. */
  plan: Plan;
  /** Test keys pay nothing. */
  quote: Quote;
  webhookUrl: string | null;
  metadata: Record<string, string>;
}

interface Request extends Record<string, unknown> {
  webhookUrl?: string;
  metadata?: Record<string, string>;
}

/** @param intake the request, checked against the operation's schema */
export function orderOf(deps: CreationDependencies, operation: Operation, key: ApiKey, intake: Intake): Order {
  const { webhookUrl = null, metadata = {}, ...input } = operation.complete(intake.body, deps.newSeed) as Request;
  const isTest = key.environment === 'test';
  const plan = { ...operation.plan(input, intake.style), ...(isTest && { test: true }) };
  const priced = { operation: operation.name, input, plan, sizes: intake.sizes };
  return {
    input,
    plan,
    quote: isTest ? free : quote(deps.prices, priced),
    webhookUrl,
    metadata,
  };
}

/** The answer of `?dryRun=true`. */
export function viewDryRun(operation: Operation, key: ApiKey, { quote: { price } }: Order): DryRun {
  const { credits: available } = key;
  return { dryRun: true, operation: operation.name, credits: { price, available, sufficient: price <= available } };
}
