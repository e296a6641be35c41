/** Compares workflow templates with the nodes and files that a ComfyUI server has, before the first job needs them. */
import { basename } from 'node:path';
import type { InspectedModel } from '../provider.ts';
import type { Http } from './http.ts';
import { objectOf } from './jobs.ts';
import { isLink, loadTemplate, slotName } from './template.ts';

/** Folders below ComfyUI's `models`, by the input that names a file there; `class.input` where the input has several meanings. */
const folders: Readonly<Record<string, string>> = {
  ckpt_name: 'checkpoints',
  unet_name: 'diffusion_models',
  clip_name: 'text_encoders',
  clip_name1: 'text_encoders',
  clip_name2: 'text_encoders',
  clip_name3: 'text_encoders',
  'CLIPVisionLoader.clip_name': 'clip_vision',
  vae_name: 'vae',
  lora_name: 'loras',
  control_net_name: 'controlnet',
  style_model_name: 'style_models',
  bg_removal_name: 'background_removal',
  'UpscaleModelLoader.model_name': 'upscale_models',
  'LoadDA3Model.model_name': 'geometry_estimation',
};

/** Returns what is missing or wrong, a sentence for each problem with its remedy and the workflows that have it. */
export async function inspect(http: Http, models: readonly InspectedModel[], signal: AbortSignal): Promise<string[]> {
  const nodes = objectOf(await http.get('/object_info', signal));
  const workflows = new Map<string, Set<string>>();
  for (const { model, constants } of models) {
    for (const problem of await problemsOf(nodes, model, constants)) {
      workflows.set(problem, (workflows.get(problem) ?? new Set()).add(basename(model)));
    }
  }
  return [...workflows].map(([problem, files]) => `${problem} (${[...files].join(', ')})`);
}

/** @param constants values of slots that are the same in every call */
async function problemsOf(
  nodes: Record<string, unknown>,
  path: string,
  constants: InspectedModel['constants'],
): Promise<string[]> {
  const template = await loadTemplate(path);
  return Object.values(template).flatMap(({ class_type: name, inputs }) => {
    if (!Object.hasOwn(nodes, name)) {
      return [`There is no node ${name}. Update ComfyUI, or install the custom nodes that contain it`];
    }
    const { required = {}, optional = {} } = objectOf(objectOf(nodes[name])['input'] ?? {});
    // A list of inputs, such as `images`, has them as `images.image0`.
    const given = new Set(Object.keys(inputs).flatMap((input) => [input, input.split('.')[0]]));
    const missing = Object.keys(objectOf(required)).filter((input) => !given.has(input));
    const declared = { ...objectOf(required), ...objectOf(optional) };
    const values = Object.entries(inputs).flatMap(([input, value]) => {
      const slot = slotName(value);
      const actual = slot === undefined ? value : constants[slot];
      return actual === undefined || isLink(actual) ? [] : problemsWith(name, input, actual, declared[input]);
    });
    return [...missing.map((input) => `${name} needs the input ${input}. Export the workflow again`), ...values];
  });
}

/** @param declaration `[type, options]`; the type of a choice is the list of its values, or `COMBO` with `options.options` */
function problemsWith(name: string, input: string, value: unknown, declaration: unknown): string[] {
  const [type, options] = Array.isArray(declaration) ? (declaration as unknown[]) : [];
  const { options: listed, min, max } = Object(options) as { options?: unknown; min?: unknown; max?: unknown };
  const choices = Array.isArray(type) ? (type as unknown[]) : type === 'COMBO' && Array.isArray(listed) ? listed : null;
  if (choices && !choices.includes(value)) {
    const folder = folders[`${name}.${input}`] ?? folders[input];
    if (folder) return [`The file models/${folder}/${String(value)} is missing. Download it into this folder`];
    return [`${name} does not accept ${JSON.stringify(value)} as ${input}. It accepts ${list(choices)}`];
  }
  if (typeof value !== 'number') return [];
  if (typeof min === 'number' && value < min) return [`${name} needs at least ${min} as ${input}, not ${value}`];
  return typeof max === 'number' && value > max ? [`${name} accepts at most ${max} as ${input}, not ${value}`] : [];
}

/** Lists the first choices: a server may have hundreds of files. */
function list(choices: readonly unknown[]): string {
  const shown = choices.slice(0, 10).map((choice) => JSON.stringify(choice));
  return shown.length === 0 ? 'nothing yet' : `${shown.join(', ')}${choices.length > shown.length ? ', …' : ''}`;
}
