/** The response of a fake ComfyUI to `/object_info`: what each node accepts. */
import type { Input, NodeClass } from './comfyui-node.ts';
import { nodeClasses } from './comfyui-nodes.ts';

/** Nodes with a V3 schema (`comfy_api/latest/_io.py`), whose choices are in the options. */
const v3 = /^(LoadBackgroundRemovalModel|LoadDA3Model)$/;

/** @param missing names of nodes and files that are left out */
export function objectInfo(missing: readonly string[]): object {
  const classes = Object.entries(nodeClasses).filter(([name]) => !missing.includes(name));
  return Object.fromEntries(classes.map(([name, node]) => [name, nodeInfo(name, node, missing)]));
}

function nodeInfo(
  name: string,
  { required, optional = {}, returns, isOutput = false }: NodeClass,
  missing: readonly string[],
) {
  const declare = (input: Input) => {
    if (typeof input === 'string') return [input, {}];
    if ('min' in input) return [input.type, { min: input.min, max: input.max }];
    const choices = input.filter((choice) => !missing.includes(String(choice)));
    return v3.test(name) ? ['COMBO', { options: choices }] : [choices, {}];
  };
  const all = (inputs: Record<string, Input>) =>
    Object.fromEntries(Object.entries(inputs).map(([key, input]) => [key, declare(input)]));
  const input = { required: all(required), optional: all(optional) };
  return { input, output: returns, name, display_name: name, output_node: isOutput };
}
