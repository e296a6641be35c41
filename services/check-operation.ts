/** Checks what an operation file declares, with the operation's own example, before the service starts. */
import { domains } from '../schemas/access.ts';
import type { Operation } from '../schemas/operation.ts';
import { createValidator } from './validate.ts';

const validator = createValidator([]);

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
  tryExample(whole);
  return whole;
}

function tryExample({ request, example, complete, plan }: Operation): void {
  const body = structuredClone(example);
  const failures = validator.compile(request)(body);
  if (failures.length > 0) {
    const wrong = failures.map(({ path, message }) => `${path} ${message}`).join('; ');
    throw new Error(`its example is not valid: ${wrong}`);
  }
  if (
    plan(
      complete(body, () => 0),
      null,
    ).stages.length === 0
  )
    throw new Error('its plan has no stages');
}
