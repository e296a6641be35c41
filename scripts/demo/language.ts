/** Sends requests to the synchronous endpoints and prints their results. */
import {
  postStyleDnaGenerateStyleOptions,
  postStyleDnaRefinePrompt,
  postTextcraft,
  type PostTextcraftData,
} from '../../clients/typescript/index.ts';
import type { Client } from './client.ts';

const text =
  'Lighthouses were built to guide ships along dangerous coasts. Keepers lived in them for months. ' +
  'Most lighthouses are automatic today, and some have become museums or hotels.';

/** Sends one synchronous request and returns the line to print. */
type SynchronousRequest = (client: Client['http']) => Promise<string>;

const written =
  (task: PostTextcraftData['body']['task']): SynchronousRequest =>
  async (client) => {
    const body = { task, prompt: text, maxTokens: 120 };
    const { data } = await postTextcraft({ client, throwOnError: true, body });
    return 'text' in data ? `${data.model}: ${data.text.replaceAll(/\s+/g, ' ')}` : '';
  };

const requests: Record<string, SynchronousRequest> = {
  'textcraft, rewrite': written('rewrite'),
  'textcraft, copy': written('copy'),
  'textcraft, summarize': written('summarize'),
  'style-dna/refine-prompt': async (client) => {
    const { data } = await postStyleDnaRefinePrompt({ client, throwOnError: true, body: { prompt: 'fox in snow' } });
    return 'prompt' in data ? data.prompt : '';
  },
  'style-dna/generate-style-options': async (client) => {
    const body = { prompt: 'a lighthouse on a cliff', count: 2 };
    const { data } = await postStyleDnaGenerateStyleOptions({ client, throwOnError: true, body });
    return 'options' in data ? data.options.map(({ name, prompt }) => `${name} (${prompt})`).join(' | ') : '';
  },
};

/** Returns the number of failed requests. */
export async function showTexts({ http }: Client): Promise<number> {
  const all = Object.entries(requests);
  let succeeded = 0;
  for (const [name, send] of all) {
    try {
      console.log(`✓ ${name} · ${await send(http)}`);
      succeeded += 1;
    } catch (error) {
      console.log(`✗ ${name} · ${(error as Error).message}`);
    }
  }
  console.log(`${succeeded} of ${all.length} synchronous requests succeeded\n`);
  return all.length - succeeded;
}
