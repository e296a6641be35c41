/** Every model that an operation names is bound to an engine that performs its task. */
import { expect, test } from '@jest/globals';
import { embedded } from '../../engines/embedded.ts';
import { inputModel } from '../../schemas/plan.ts';
import { findOperations } from '../../services/operations.ts';

const operations = await findOperations();
const { models } = embedded();

test.each(operations.map(({ name, ...operation }) => [name, operation] as const))(
  'binds the models of %s',
  (_name, { example, complete, plan }) => {
    const calls = plan(
      complete(structuredClone(example), () => 0),
      null,
    ).stages.flatMap((stage) => stage.calls);
    for (const { model, task } of calls.filter((call) => call.model !== inputModel)) {
      expect([model, models[model]?.task]).toEqual([model, task]);
    }
  },
);
