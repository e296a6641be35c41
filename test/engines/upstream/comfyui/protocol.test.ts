/** ComfyUI without failures: the example file, its templates, submissions and the connection. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import sharp, { type Metadata } from 'sharp';
import { comfyui } from '../../../../engines/upstream/comfyui/protocol.ts';
import { checkTemplate } from '../../../../engines/upstream/comfyui/template.ts';
import { startComfyui } from '../../../upstreams/comfyui.ts';
import type { Workflow } from '../../../upstreams/comfyui-graph.ts';
import { apiKey, bench, connect, painting, generousTimeout, picture, request, run, template } from './bench.ts';

const at = bench();

interface Submitted {
  prompt: Workflow;
  prompt_id: string;
}

const submitted = () => at.fake.requests.filter(({ path }) => path === '/prompt').map(({ body }) => body as Submitted);

const inputsOf = (workflow: Workflow | undefined, type: string) =>
  Object.values(workflow ?? {}).find((node) => node.class_type === type)?.inputs;

interface Example {
  engines: Record<string, { protocol: string }>;
  models: Record<string, { engine: string; model?: string; input?: Record<string, unknown> }[]>;
}

const example = JSON.parse(readFileSync(template('own-comfyui.json'), 'utf8')) as Example;
const bindings = Object.entries(example.models).flatMap(([model, list]) =>
  list.flatMap(({ engine, model: file, input }) =>
    engine === 'comfyui' && file && input ? [{ model, file, input }] : [],
  ),
);

/** Returns whether a call may leave the field open (`schemas/tasks.ts`) and the template has no default for it. */
function mayBeNull(value: unknown): boolean {
  const { from, default: otherwise } = Object(value) as { from?: string; default?: unknown };
  return otherwise === undefined && ['negativePrompt', 'mask', 'aspectRatio', 'points'].includes(from ?? '');
}

describe('the shipped example', () => {
  test.each(bindings)('$model fills every slot of $file', async ({ file, input }) => {
    const nullable = Object.keys(input).filter((name) => mayBeNull(input[name]));
    expect(await checkTemplate(template(file), Object.keys(input), nullable)).toEqual([]);
  });

  test('uses only this protocol', () => {
    expect(Object.values(example.engines).map(({ protocol }) => protocol)).toEqual([comfyui.name]);
    expect(bindings.length).toBeGreaterThan(8);
  });
});

const seed = 7;
const checkpoint = painting.checkpoint;

describe('every shipped template runs', () => {
  const cases: [string, (image: Awaited<ReturnType<typeof picture>>) => Record<string, unknown>, Partial<Metadata>][] =
    [
      ['text-to-image', () => painting, { width: 256, height: 320, channels: 3 }],
      ['text-to-image-flux', () => ({ prompt: 'a fox', width: 512, height: 256, seed }), { width: 512, height: 256 }],
      ['vary', (image) => ({ checkpoint, image, prompt: '', negative: '', strength: 0.5, seed }), { format: 'png' }],
      ['edit', (image) => ({ image, mask: image, instruction: 'make it warmer', seed }), { width: 96, height: 64 }],
      ['inpaint', (image) => ({ checkpoint, image, mask: image, prompt: 'a cat', negative: '', seed }), { width: 96 }],
      ['upscale', (image) => ({ image, of_four: 0.5 }), { width: 192, height: 128 }],
      ['sharpen', (image) => ({ image, of_four: 0.25, scale: 1, detail: 0.5 }), { width: 96, height: 64 }],
      ['remove-background', (image) => ({ image }), { width: 96, height: 64, channels: 4, hasAlpha: true }],
      ['depth', (image) => ({ image }), { width: 96, height: 64 }],
      ['refine-face', (image) => ({ image, restorer: 'GFPGANv1.4.pth', visibility: 1 }), { width: 96, height: 64 }],
      ['face-swap', (image) => ({ target: image, source: image }), { width: 96, height: 64 }],
    ];
  test.each(cases)('%s', async (name, inputOf, expected) => {
    const input = inputOf(await picture());
    const model = template(`comfyui/${name}.json`);
    expect(await checkTemplate(model, Object.keys(input))).toEqual([]);
    const [image, ...others] = await run(at.provider, request({ model, input }));
    expect(others).toEqual([]);
    expect(await sharp(image).metadata()).toMatchObject(expected);
  });
});

describe('a submission', () => {
  test('fills the slots with values of their own types', async () => {
    await run(at.provider, request());
    const [{ prompt, prompt_id: id } = {} as Submitted] = submitted();
    expect(inputsOf(prompt, 'EmptyLatentImage')).toEqual({ width: 256, height: 320, batch_size: 1 });
    expect(inputsOf(prompt, 'KSampler')).toMatchObject({ seed: 4711, model: ['1', 0] });
    expect(inputsOf(prompt, 'CLIPTextEncode')).toMatchObject({ text: 'a secret garden' });
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('names uploaded images by the digest of their bytes', async () => {
    const image = await picture();
    const model = template('comfyui/vary.json');
    const input = { checkpoint, image, prompt: '', negative: '', strength: 0.5, seed };
    await run(at.provider, request({ model, input }));
    const upload = at.fake.requests.find(({ path }) => path === '/upload/image')?.body as Record<string, string>;
    expect(upload).toMatchObject({ filename: `${upload.sha256}.png`, subfolder: 'atelier', type: 'input' });
    expect(inputsOf(submitted()[0]?.prompt, 'LoadImage')).toEqual({ image: `atelier/${upload.sha256}.png` });
    expect(at.fake.counts.uploads).toBe(1);
  });

  test('uploads each image of a call', async () => {
    const [image, mask] = await Promise.all([picture(), picture(48, 32)]);
    const input = { image, mask, instruction: 'warmer', seed };
    await run(at.provider, request({ model: template('comfyui/edit.json'), input }));
    expect(at.fake.counts.uploads).toBe(2);
    const names = ['LoadImage', 'LoadImageMask'].map((node) => inputsOf(submitted()[0]?.prompt, node)?.image);
    const nameOf = ({ bytes }: typeof image) => `atelier/${createHash('sha256').update(bytes).digest('hex')}.png`;
    expect(names).toEqual([nameOf(image), nameOf(mask)]);
  });

  test('leaves out the node of an empty optional slot, and the links to it', async () => {
    const model = template('comfyui/edit.json');
    await run(
      at.provider,
      request({ model, input: { image: await picture(), mask: null, instruction: 'warmer', seed } }),
    );
    const [{ prompt } = {} as Submitted] = submitted();
    expect(inputsOf(prompt, 'LoadImageMask')).toBeUndefined();
    expect(inputsOf(prompt, 'ImageCompositeMasked')).not.toHaveProperty('mask');
  });
});

describe('the connection', () => {
  test('pings with one request that changes nothing', async () => {
    await at.provider.ping(generousTimeout());
    expect(at.fake.requests.map(({ path }) => path)).toEqual(['/prompt']);
    expect(at.fake.counts.submissions).toBe(0);
  });

  test.each([apiKey, 'operator:of the proxy'])('authenticates at a proxy with the key %s', async (key) => {
    const locked = await startComfyui({ apiKey: key });
    const provider = connect(locked.url, key);
    expect(await run(provider, request())).toHaveLength(1);
    await provider.close();
    const without = connect(locked.url, undefined);
    expect(without.explain(await without.ping(generousTimeout()).catch((error: unknown) => error)).code).toBe(
      'provider_rejected',
    );
    await without.close();
    await locked.close();
  });

  test('keeps a path in the base address', async () => {
    const provider = connect(`${at.fake.url}/comfy/`, undefined);
    await expect(provider.ping(generousTimeout())).rejects.toThrow();
    expect(at.fake.requests.map(({ path }) => path)).toEqual(['/comfy/prompt']);
    await provider.close();
  });

  test.each([
    'comfy.example',
    'ftp://comfy.example',
    'http://user:secret@comfy.example',
    'http://comfy.example/?key=secret',
  ])('rejects the address %s without repeating its secret', (url) => {
    expect(() => connect(url, undefined)).toThrow('The address of a ComfyUI server must be http(s)://host/path');
    expect(() => connect(url, undefined)).not.toThrow('secret');
  });

  test('rejects a key that a header cannot hold, without repeating it', () => {
    expect(() => connect('http://comfy.example', 'sec\nret')).toThrow(
      'The key of a ComfyUI server contains characters that an HTTP header cannot hold',
    );
  });
});
