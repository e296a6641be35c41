/** The synchronous endpoints, as lines to read. */
import type { Client } from './client.ts';

const text =
  'Lighthouses were built to guide ships along dangerous coasts. Keepers lived in them for months. ' +
  'Most lighthouses are automatic today, and some have become museums or hotels.';

export async function showAnswers(client: Client): Promise<void> {
  for (const task of ['rewrite', 'copy', 'summarize']) {
    const answer = await client.ask<{ text: string; model: string }>('textcraft', { task, prompt: text });
    console.log(`✓ textcraft · ${task} · ${answer.model}: ${answer.text.replaceAll('\n', ' ')}`);
  }
  const refined = await client.ask<{ prompt: string }>('style-dna/refine-prompt', { prompt: 'fox in snow' });
  console.log(`✓ style-dna/refine-prompt: ${refined.prompt}`);
  const body = { prompt: 'a lighthouse on a cliff', count: 3 };
  const { options } = await client.ask<{ options: { name: string }[] }>('style-dna/generate-style-options', body);
  console.log(`✓ style-dna/generate-style-options: ${options.map(({ name }) => name).join(', ')}`);
}
