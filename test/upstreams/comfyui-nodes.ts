/** All nodes that a fake ComfyUI has. */
import { models } from './comfyui-models.ts';
import type { NodeClass } from './comfyui-node.ts';
import { pictures } from './comfyui-pictures.ts';

export const nodeClasses: Readonly<Record<string, NodeClass>> = { ...models, ...pictures };
