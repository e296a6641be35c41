/** Executes workflows like ComfyUI's `PromptExecutor`, which keeps the results of the last workflow's nodes. */
import type { Workflow } from './comfyui-graph.ts';
import type { Disk } from './comfyui-node.ts';
import { nodeClasses } from './comfyui-nodes.ts';

export interface Executed {
  /** The images of each output node, as the history has them. */
  outputs: Record<string, object>;
  /** The nodes that were not executed, because their results were known. */
  cached: string[];
}

export interface Executor {
  /** @param outputs ids of the output nodes */
  execute(workflow: Workflow, outputs: string[], extra: { client_id?: string }): Promise<Executed>;
}

export function createExecutor(disk: Disk, listsCached: 'always' | 'with client id'): Executor {
  let earlier = new Map<string, Promise<unknown[]>>();
  return {
    async execute(workflow, outputs, { client_id: clientId }) {
      const known = earlier;
      const made = new Map<string, Promise<unknown[]>>();
      earlier = made;
      const make = (id: string): Promise<unknown[]> => {
        const signature = signatureOf(workflow, id);
        const making = made.get(signature) ?? known.get(signature) ?? run(id);
        made.set(signature, making);
        // A node that fails is executed again.
        making.catch(() => made.delete(signature));
        return making;
      };
      const run = async (id: string): Promise<unknown[]> => {
        const { class_type: name, inputs } = workflow[id]!;
        const entries = Object.entries(inputs).map(async ([key, value]) => {
          const [from, index] = Array.isArray(value) ? (value as [string, number]) : [];
          return [key, from === undefined ? value : (await make(from))[index!]] as const;
        });
        return nodeClasses[name!]!.run(Object.fromEntries(await Promise.all(entries)), disk);
      };
      const cached = Object.keys(workflow).filter((id) => known.has(signatureOf(workflow, id)));
      const results = await Promise.all(outputs.map(async (id) => [id, { images: await make(id) }] as const));
      const isListed = (id: string) => listsCached === 'always' || clientId !== undefined || !cached.includes(id);
      return { outputs: Object.fromEntries(results.filter(([id]) => isListed(id))), cached };
    },
  };
}

/** Returns the same text for nodes with the same class, constants and ancestors, as in `comfy_execution/caching.py`. */
function signatureOf(workflow: Workflow, id: string): string {
  const { class_type: name, inputs } = workflow[id]!;
  const values = Object.keys(inputs)
    .sort()
    .map((key) => {
      const value = inputs[key];
      const [from, index] = Array.isArray(value) ? (value as [string, number]) : [];
      return [key, from === undefined ? value : [signatureOf(workflow, from), index]];
    });
  return JSON.stringify([name, values]);
}
