/** Checks what an operation file declares, with the operation's own example, before the service starts. */
import { domains } from '../schemas/access.ts';
import type { Operation } from '../schemas/operation.ts';
import type { Stage } from '../schemas/plan.ts';
import { createValidator } from './validate.ts';

const validator = createValidator({ allowedHosts: [], webhookProtocols: ['https:'] });

const fields = ['name', 'domain', 'summary', 'request', 'example', 'listings', 'complete', 'plan'] as const;

export const isOperationName = (name: string) => /^[a-z][a-z0-9/-]*$/.test(name);

/** @throws Error that says what to change in the file */
export function checkOperation(operation: Partial<Operation> | undefined): Operation {
  if (!operation) throw new Error('it does not export "operation"');
  const missing = fields.filter((field) => operation[field] === undefined);
  if (missing.length > 0) throw new Error(`its operation lacks ${missing.join(', ')}`);
  const whole = operation as Operation;
  if (!domains.includes(whole.domain)) throw new Error(`"${whole.domain}" is not a domain`);
  if (!isOperationName(whole.name)) throw new Error(`"${whole.name}" is not a valid name of an operation`);
  checkExample(whole);
  return whole;
}

function checkExample({ request, example, complete, plan }: Operation): void {
  const body = structuredClone(example);
  const failures = validator.compile(request)(body);
  if (failures.length > 0) {
    const wrong = failures.map(({ path, message }) => `${path} ${message}`).join('; ');
    throw new Error(`its example is not valid: ${wrong}`);
  }
  const completed = complete(body, () => 0);
  const { stages } = plan(completed, null);
  if (stages.length === 0) throw new Error('its plan has no stages');
  checkReferences(stages);
}

/** Rejects a plan whose calls refer to results that do not exist yet: every such artwork would fail. */
function checkReferences(stages: readonly Stage[]): void {
  const earlier = new Set<string>();
  for (const { calls } of stages) {
    for (const { id, params } of calls) {
      const unknown = referencesIn(params).find((reference) => !earlier.has(reference));
      if (unknown !== undefined) throw new Error(`its call "${id}" refers to "${unknown}", not to an earlier call`);
    }
    for (const { id } of calls) earlier.add(id);
  }
}

/** Returns the ids of the calls whose texts and images these parameters contain. */
function referencesIn(params: unknown): string[] {
  if (typeof params !== 'object' || params === null) return [];
  return Object.entries(params).flatMap(([field, value]) => {
    const isReference = field === '$textOf' || field === '$imageOf' || field === '$imagesOf';
    return isReference ? [value as string | string[]].flat() : referencesIn(value);
  });
}
