/** Workflow templates: mistakes in the file, mistakes in its binding, and filling the slots. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkTemplate, fill, loadTemplate } from '../../../../engines/upstream/comfyui/template.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-templates-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function write(content: unknown): Promise<string> {
  const path = join(folder, 'mine.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const node = (inputs: Record<string, unknown>, class_type = 'Any') => ({ class_type, inputs });

describe('rejects an invalid template', () => {
  test.each<[string, unknown, string]>([
    ['no JSON', '{"1": ', 'is not JSON'],
    ['a list', [], 'is not a workflow'],
    ['nothing', {}, 'is not a workflow'],
    ["the editor's own format", { nodes: [], links: [] }, "Save it with the editor's Export (API)"],
    ['a node without its class', { 1: { inputs: {} } }, 'has no class_type at node 1'],
    ['a node without inputs', { 1: { class_type: 'Any' } }, 'has no inputs at node 1'],
    ['a link to nowhere', { 1: node({ image: ['2', 0] }) }, 'links to an unknown node at image of node 1'],
    ['a slot in a text', { 1: node({ text: 'a {{noun}}' }) }, 'Use the slot as the whole value'],
  ])('%s', async (_name, content, message) => {
    const path = await write(content);
    await expect(loadTemplate(path)).rejects.toThrow(message);
    const [complaint] = await checkTemplate(path, []);
    expect(complaint).toContain(message);
    expect(complaint).toContain('mine.json');
    expect(complaint).not.toContain(folder);
  });
});

test('names slots without a field and fields without a slot', async () => {
  const path = await write({ 1: node({ text: '{{prompt}}', deep: { seeds: ['{{seed}}'] }, image: '{{image?}}' }) });
  expect(await checkTemplate(path, ['prompt', 'seed', 'image'])).toEqual([]);
  expect(await checkTemplate(path, ['prompt', 'sead'])).toEqual([
    'no field of "input" fills {{seed}} of mine.json',
    'mine.json has no {{sead}}',
  ]);
  expect(await checkTemplate(path, ['prompt', 'seed', 'image'], ['seed', 'image'])).toEqual([
    'not every call fills {{seed}} of mine.json: give it a default, or write {{seed?}} there',
  ]);
});

describe('filling', () => {
  test('keeps types, constants, links, and values that look like slots', () => {
    const template = { 1: node({ seed: '{{seed}}', steps: 20 }), 2: node({ latent: ['1', 0], text: '{{text}}' }) };
    expect(fill(template, { seed: 5, text: '{{seed}}' })).toEqual({
      1: node({ seed: 5, steps: 20 }),
      2: node({ latent: ['1', 0], text: '{{seed}}' }),
    });
    expect(template[1].inputs.seed).toBe('{{seed}}');
  });

  test('wraps lists, which ComfyUI would read as links', () => {
    expect(fill({ 1: node({ points: '{{points}}' }) }, { points: ['2', 0] })).toEqual({
      1: node({ points: { __value__: ['2', 0] } }),
    });
  });

  test('rejects a required slot without a value', () => {
    expect(() => fill({ 1: node({ seed: '{{seed}}' }) }, { seed: null })).toThrow(
      '{{seed}} of a workflow template has no value',
    );
  });
});
