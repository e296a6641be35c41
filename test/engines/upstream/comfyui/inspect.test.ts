/** `engines check --live` at a ComfyUI server: missing nodes, missing files and values that a node does not accept. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { compileMapping } from '../../../../engines/upstream/mapping.ts';
import type { InspectedModel } from '../../../../engines/upstream/provider.ts';
import { startComfyui } from '../../../upstreams/comfyui.ts';
import type { Workflow } from '../../../upstreams/comfyui-graph.ts';
import { bindingsIn } from '../examples.ts';
import { connect, generousTimeout, template } from './bench.ts';

async function inspect(missing: readonly string[], models: readonly InspectedModel[]): Promise<string[]> {
  const fake = await startComfyui({ missing });
  const provider = connect(fake.url, undefined);
  const problems = await provider.inspect!(models, generousTimeout());
  await provider.close();
  await fake.close();
  return problems;
}

const examples = (await bindingsIn('own-comfyui.json')).map(({ model, task, input }) => ({
  model: template(model),
  constants: compileMapping(task, input).constants,
}));

test('finds no problem on a server that has everything', async () => {
  expect(examples.length).toBeGreaterThan(5);
  expect(await inspect([], examples)).toEqual([]);
});

test('names each missing node and file once, with its folder and every workflow that needs it', async () => {
  const missing = ['sd_xl_base_1.0.safetensors', 'birefnet.safetensors', 'clip_l.safetensors', 'DA3Inference'];
  expect((await inspect(missing, examples)).toSorted()).toEqual([
    'The file models/background_removal/birefnet.safetensors is missing. Download it into this folder (remove-background.json)',
    'The file models/checkpoints/sd_xl_base_1.0.safetensors is missing. Download it into this folder (text-to-image.json, vary.json)',
    'The file models/text_encoders/clip_l.safetensors is missing. Download it into this folder (edit.json)',
    'There is no node DA3Inference. Update ComfyUI, or install the custom nodes that contain it (depth.json)',
  ]);
});

test('names wrong values and missing inputs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-inspect-'));
  const model = join(folder, 'wrong.json');
  const workflow = JSON.parse(await readFile(template('comfyui/text-to-image.json'), 'utf8')) as Workflow;
  const sampler = Object.values(workflow).find((node) => node.class_type === 'KSampler')!;
  Object.assign(sampler.inputs, { sampler_name: 'eulr', steps: 0, cfg: 101 });
  delete sampler.inputs.scheduler;
  // A node with a list of inputs declares its name, and a workflow has its items.
  sampler.inputs['latent_image.item0'] = sampler.inputs['latent_image'];
  delete sampler.inputs['latent_image'];
  await writeFile(model, JSON.stringify(workflow));
  const checkpoint = 'sd_xl_base_1.0.safetensors';
  expect(await inspect([], [{ model, constants: { checkpoint } }])).toEqual([
    'KSampler needs the input scheduler. Export the workflow again (wrong.json)',
    'KSampler needs at least 1 as steps, not 0 (wrong.json)',
    'KSampler accepts at most 100 as cfg, not 101 (wrong.json)',
    'KSampler does not accept "eulr" as sampler_name. It accepts "euler", "dpmpp_2m", "dpmpp_2m_sde" (wrong.json)',
  ]);
  await rm(folder, { recursive: true });
});
