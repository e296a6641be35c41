/** Validates a workflow like ComfyUI's `validate_prompt`. */
import type { Input } from './comfyui-node.ts';
import { nodeClasses } from './comfyui-nodes.ts';

export type Workflow = Record<string, { class_type?: string; inputs: Record<string, unknown> }>;

interface Problem {
  type: string;
  message: string;
  details: string;
  extra_info: Record<string, unknown>;
}

const problem = (type: string, message: string, details: string, extra: Record<string, unknown> = {}): Problem => ({
  type,
  message,
  details,
  extra_info: extra,
});

type NodeErrors = Record<string, { errors: Problem[]; dependent_outputs: string[]; class_type: string }>;

/** As in `execution.py`: the outputs that can run, and what is wrong with the others. */
export type Verdict =
  | { isValid: true; outputs: string[]; nodeErrors: NodeErrors }
  | { isValid: false; error: Problem; nodeErrors: NodeErrors };

export function validate(workflow: Workflow, inputs: ReadonlyMap<string, Buffer>): Verdict {
  const refuse = (error: Problem, nodeErrors: NodeErrors = {}): Verdict => ({ isValid: false, error, nodeErrors });
  const outputs: string[] = [];
  for (const [id, { class_type: name }] of Object.entries(workflow)) {
    if (name === undefined) {
      const message = 'Cannot execute because a node is missing the class_type property.';
      return refuse(problem('invalid_prompt', message, `Node ID '#${id}'`));
    }
    if (!nodeClasses[name]) {
      const message = `Cannot execute because node ${name} does not exist.`;
      return refuse(problem('invalid_prompt', message, `Node ID '#${id}'`));
    }
    if (nodeClasses[name].isOutput) outputs.push(id);
  }
  if (outputs.length === 0) return refuse(problem('prompt_no_outputs', 'Prompt has no outputs', ''));
  const nodeErrors: NodeErrors = {};
  const good = outputs.filter((output) => {
    const found = new Map<string, Problem[]>();
    inspect(workflow, output, inputs, found);
    for (const [id, errors] of found) {
      if (errors.length === 0) continue;
      nodeErrors[id] ??= { errors, dependent_outputs: [], class_type: workflow[id]?.class_type ?? '' };
      nodeErrors[id].dependent_outputs.push(output);
    }
    return [...found.values()].every((errors) => errors.length === 0);
  });
  if (good.length > 0) return { isValid: true, outputs: good, nodeErrors };
  const details = Object.values(nodeErrors).flatMap(({ errors }) => errors.map((e) => `${e.message}: ${e.details}`));
  const message = 'Prompt outputs failed validation';
  return refuse(problem('prompt_outputs_failed_validation', message, details.join('\n')), nodeErrors);
}

function inspect(
  workflow: Workflow,
  id: string,
  files: ReadonlyMap<string, Buffer>,
  found: Map<string, Problem[]>,
): void {
  if (found.has(id)) return;
  const errors: Problem[] = [];
  found.set(id, errors);
  const node = workflow[id]!;
  const { required, optional = {}, file } = nodeClasses[node.class_type!]!;
  for (const [name, type] of Object.entries({ ...required, ...optional })) {
    const value = node.inputs[name];
    if (value === undefined) {
      if (name in required) errors.push(problem('required_input_missing', 'Required input is missing', name));
    } else if (Array.isArray(value)) {
      const [from, index] = value as [string, number];
      const source = workflow[from];
      if (value.length !== 2)
        errors.push(problem('bad_linked_input', 'Bad linked input, must be a length-2 list', name));
      else if (!source)
        errors.push(problem('exception_during_validation', 'Exception when validating node', `'${from}'`));
      else {
        const received = nodeClasses[source.class_type!]!.returns[index];
        if (received !== type) {
          const details = `${name}, received_type(${received}) mismatch input_type(${JSON.stringify(type)})`;
          errors.push(problem('return_type_mismatch', 'Return type mismatch between linked nodes', details));
        } else inspect(workflow, from, files, found);
      }
    } else errors.push(...misfit(name, type, value));
  }
  const named = file && node.inputs[file];
  if (typeof named === 'string' && !files.has(named)) {
    const details = `${file} - Invalid image file: ${named}`;
    errors.push(problem('custom_validation_failed', 'Custom validation failed for node', details));
  }
}

/** Returns the problems of a constant value for an input of this type. */
function misfit(name: string, type: Input, value: unknown): Problem[] {
  const wrong = (kind: string, message: string) => [problem(kind, message, name, { received_value: value })];
  if (Array.isArray(type)) {
    return type.includes(value) ? [] : wrong('value_not_in_list', 'Value not in list');
  }
  if (typeof type === 'object' && 'min' in type) {
    const number = Number(value);
    if (Number.isNaN(number))
      return wrong('invalid_input_type', `Failed to convert an input value to a ${type.type} value`);
    if (number < type.min) return wrong('value_smaller_than_min', `Value ${number} smaller than min of ${type.min}`);
    return number > type.max ? wrong('value_bigger_than_max', `Value ${number} bigger than max of ${type.max}`) : [];
  }
  return type === 'STRING' || type === 'BOOLEAN' ? [] : wrong('return_type_mismatch', 'Not a link');
}
