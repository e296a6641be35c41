/** The synchronous endpoints, as lines to read. */
import type { Client } from './client.ts';

const text =
  'Lighthouses were built to guide ships along dangerous coasts. Keepers lived in them for months. ' +
  'Most lighthouses are automatic today, and some have become museums or hotels.';

interface Question {
  path: string;
  body: object;
  /** What of the answer is shown. */
  say(answer: never): string;
}

const written = (task: string): Question => ({
  path: 'textcraft',
  body: { task, prompt: text, maxTokens: 120 },
  say: (answer: { text: string; model: string }) => `${task} · ${answer.model}: ${answer.text.replaceAll(/\s+/g, ' ')}`,
});

const questions: readonly Question[] = [
  written('rewrite'),
  written('copy'),
  written('summarize'),
  {
    path: 'style-dna/refine-prompt',
    body: { prompt: 'fox in snow' },
    say: ({ prompt }: { prompt: string }) => prompt,
  },
  {
    path: 'style-dna/generate-style-options',
    body: { prompt: 'a lighthouse on a cliff', count: 2 },
    say: ({ options }: { options: { name: string; prompt: string }[] }) =>
      options.map(({ name, prompt }) => `${name} (${prompt})`).join(' | '),
  },
];

/** @returns how many were not answered */
export async function showAnswers(client: Client): Promise<number> {
  let answered = 0;
  for (const { path, body, say } of questions) {
    try {
      console.log(`✓ ${path} · ${say(await client.ask<never>(path, body))}`);
      answered += 1;
    } catch (error) {
      console.log(`✗ ${(error as Error).message}`);
    }
  }
  console.log(`${answered} of ${questions.length} answers\n`);
  return questions.length - answered;
}
