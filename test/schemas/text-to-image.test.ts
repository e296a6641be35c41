/** The plan of a text-to-image artwork, with and without prompt enhancement, and the values that the service fills in. */
import { expect, test } from '@jest/globals';
import type { Static } from 'typebox';
import { operation } from '../../schemas/operations/artworks/selena.ts';
import type { Call, Plan } from '../../schemas/plan.ts';

type Request = Static<typeof operation.request>;

const request: Request = {
  prompt: 'a boat',
  promptMode: 'servitor',
  numImages: 1,
  nsfw: false,
  metadata: {},
  outputFormat: 'png',
};

/** Returns the plan of a request. @param fields replace those of `request` */
function planOf(fields: Partial<Request> = {}): Plan {
  return operation.plan(
    operation.complete({ ...request, ...fields }, () => 7),
    null,
  );
}

/** Returns the parameters of the calls that draw. */
function drawings({ stages }: Plan) {
  const calls: Call[] = stages.flatMap((stage) => stage.calls);
  return calls.flatMap(({ task, params }) => (task === 'text-to-image' ? [params] : []));
}

const calls = (plan: Plan) => plan.stages.map(({ name, calls }) => [name, calls.map(({ id, model }) => [id, model])]);

test('servitor sends the prompt as it is', () => {
  const plan = planOf();
  expect(plan.prompt).toBe('a boat');
  expect(calls(plan)).toEqual([['generate', [['image-1', 'selena']]]]);
  expect(plan.stages[0]!.calls[0]!.params).toEqual({
    prompt: 'a boat',
    negativePrompt: null,
    style: null,
    styleWords: null,
    width: 1024,
    height: 1024,
    seed: 7,
    transparentBackground: false,
    seamless: false,
    nsfw: false,
    outputFormat: 'png',
  });
});

test('seer enhances the prompt first, and every image is made from the result', () => {
  const plan = planOf({ promptMode: 'seer', numImages: 2, style: 'watercolor' });
  expect(plan.prompt).toEqual({ $textOf: 'enhance' });
  expect(calls(plan)).toEqual([
    ['enhance', [['enhance', 'seer']]],
    [
      'generate',
      [
        ['image-1', 'selena'],
        ['image-2', 'selena'],
      ],
    ],
  ]);
  expect(plan.stages[0]!.calls[0]!.params).toMatchObject({
    purpose: 'enhance-prompt',
    facts: { prompt: 'a boat', style: 'watercolor' },
    nsfw: false,
  });
  expect(drawings(plan).map(({ prompt }) => prompt)).toEqual([{ $textOf: 'enhance' }, { $textOf: 'enhance' }]);
});

test('each image has the next seed, and 0 follows the largest seed', () => {
  const plan = planOf({ seed: 4294967294, numImages: 4 });
  expect(drawings(plan).map(({ seed }) => seed)).toEqual([4294967294, 4294967295, 0, 1]);
});

test('fills in a seed, and an aspect ratio unless the request has a size', () => {
  expect(operation.complete({ ...request }, () => 7)).toMatchObject({ seed: 7, aspectRatio: '1:1' });
  expect(operation.complete({ ...request, seed: 0 }, () => 7)).toMatchObject({ seed: 0 });
  const sized = { ...request, width: 256, height: 512 };
  expect(operation.complete(sized, () => 7)).toEqual({ ...sized, seed: 7 });
});

test('the size is the requested one, or that of the aspect ratio', () => {
  const sizesOf = (plan: Plan) => drawings(plan).map(({ width, height }) => [width, height]);
  expect(sizesOf(planOf({ width: 256, height: 512 }))).toEqual([[256, 512]]);
  expect(sizesOf(planOf({ aspectRatio: '16:9' }))).toEqual([[1344, 768]]);
});

test('only seamless styles are seamless', () => {
  const seamless = (style: string) => drawings(planOf({ style }))[0]!.seamless;
  expect(['infiny-weave', 'infiny-pattern', 'infiny-flow'].map(seamless)).toEqual([true, true, true]);
  expect(seamless('watercolor')).toBe(false);
});

test('summaries, which operators read, do not contain the prompt', () => {
  const plan = planOf({ prompt: 'SECRET', promptMode: 'seer', negativePrompt: 'SECRET', numImages: 4 });
  const summaries = plan.stages.flatMap((stage) => stage.calls.map(({ summary }) => summary));
  expect(summaries.join('\n')).not.toContain('SECRET');
});

test('plans a request with every style and aspect ratio that the listings contain', () => {
  const [styles, ratios] = operation.listings.map(({ body }) => body as Record<string, { id: string }[]>);
  expect(styles!['styles']!.length).toBeGreaterThan(3);
  expect(ratios!['aspectRatios']!.length).toBeGreaterThan(3);
  for (const { id } of styles!['styles']!) expect(planOf({ style: id }).stages).toHaveLength(1);
  for (const { id } of ratios!['aspectRatios']!) expect(planOf({ aspectRatio: id }).stages).toHaveLength(1);
});
