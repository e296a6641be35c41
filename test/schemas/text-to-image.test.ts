/** The plan of a text-to-image artwork, with and without prompt enhancement, and what a request leaves open. */
import { expect, test } from '@jest/globals';
import { operation } from '../../schemas/operations/artworks/selena.ts';
import type { Plan } from '../../schemas/plan.ts';

const request = { prompt: 'a boat', promptMode: 'servitor', numImages: 1, nsfw: false, outputFormat: 'png' };

/** @param fields in place of those of the plain request */
function planOf(fields: object = {}): Plan {
  return operation.plan(
    operation.complete({ ...request, ...fields }, () => 7),
    null,
  );
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
  const [enhance, ...images] = plan.stages.flatMap((stage) => stage.calls);
  expect(enhance!.params).toMatchObject({
    purpose: 'enhance-prompt',
    facts: { prompt: 'a boat', style: 'watercolor' },
    nsfw: false,
  });
  expect(images.map(({ params }) => params['prompt'])).toEqual([{ $textOf: 'enhance' }, { $textOf: 'enhance' }]);
});

test('each image has the next seed, around the end of the range', () => {
  const plan = planOf({ seed: 4294967294, numImages: 4 });
  expect(plan.stages[0]!.calls.map(({ params }) => params['seed'])).toEqual([4294967294, 4294967295, 0, 1]);
});

test('what the request leaves open is filled in: seed, and aspect ratio unless there is a size', () => {
  expect(operation.complete({ ...request }, () => 7)).toMatchObject({ seed: 7, aspectRatio: '1:1' });
  expect(operation.complete({ ...request, seed: 0 }, () => 7)).toMatchObject({ seed: 0 });
  const sized = { ...request, width: 256, height: 512 };
  expect(operation.complete(sized, () => 7)).toEqual({ ...sized, seed: 7 });
});

test('the size is the one asked for, or that of the aspect ratio', () => {
  const sizeOf = ({ stages }: Plan) => {
    const { width, height } = stages[0]!.calls[0]!.params;
    return [width, height];
  };
  expect(sizeOf(planOf({ width: 256, height: 512 }))).toEqual([256, 512]);
  expect(sizeOf(planOf({ aspectRatio: '16:9' }))).toEqual([1344, 768]);
});

test('only seamless styles are seamless', () => {
  const seamless = (style: string) => planOf({ style }).stages[0]!.calls[0]!.params['seamless'];
  expect(['infiny-weave', 'infiny-pattern', 'infiny-flow'].map(seamless)).toEqual([true, true, true]);
  expect(seamless('watercolor')).toBe(false);
});

test('summaries, which operators read, hold nothing of the prompt', () => {
  const plan = planOf({ prompt: 'SECRET', promptMode: 'seer', negativePrompt: 'SECRET', numImages: 4 });
  const summaries = plan.stages.flatMap((stage) => stage.calls.map(({ summary }) => summary));
  expect(summaries.join('\n')).not.toContain('SECRET');
});

test('every example of the family works with every style and aspect ratio that it lists', () => {
  const [styles, ratios] = operation.listings.map(({ body }) => body as Record<string, { id: string }[]>);
  expect(styles!['styles']!.length).toBeGreaterThan(3);
  expect(ratios!['aspectRatios']!.length).toBeGreaterThan(3);
  for (const { id } of styles!['styles']!) expect(planOf({ style: id }).stages).toHaveLength(1);
  for (const { id } of ratios!['aspectRatios']!) expect(planOf({ aspectRatio: id }).stages).toHaveLength(1);
});
