/** The paid providers of a run, each behind a proxy that misbehaves: one with jobs, one that responds directly, one for texts. */
import { apiKey, at, enginesEnv, flux } from '../support/engines.ts';
import { startFal } from '../upstreams/fal.ts';
import { completion, startOpenAiChat } from '../upstreams/openai-chat.ts';
import { startOpenAiImages } from '../upstreams/openai-images.ts';
import type { Random } from './random.ts';
import { startUnreliableUpstream, type UnreliableUpstream } from './unreliable-upstream.ts';

/** `queue` keeps a job under an id until its result is read; `direct` and `text` respond to the request itself. */
export const providerKinds = ['queue', 'direct', 'text'] as const;
export type ProviderKind = (typeof providerKinds)[number];

export interface Providers {
  upstreams: Readonly<Record<ProviderKind, UnreliableUpstream>>;
  /** The variables with which the service uses them. */
  env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

export async function startProviders(folder: string, random: Random): Promise<Providers> {
  const [fal, images, chat] = await Promise.all([
    startFal({ apiKey, jobTime: 1500 }),
    startOpenAiImages({ apiKey }),
    startOpenAiChat({ apiKey }),
  ]);
  chat.reply(completion('A boat rests on a quiet lake.'));
  const isPost = (method: string) => method === 'POST';
  const [queue, direct, text] = await Promise.all([
    startUnreliableUpstream({
      target: fal.url,
      isSubmission: (method, path) => method === 'POST' && !path.startsWith('/storage/'),
      time: () => random.between(20, 300),
    }),
    startUnreliableUpstream({ target: images.url, isSubmission: isPost, time: () => random.between(300, 2500) }),
    startUnreliableUpstream({ target: chat.url, isSubmission: isPost, time: () => random.between(300, 2500) }),
  ]);
  const engines = {
    fal: at('fal', queue, { concurrent: 4 }),
    images: at('openai', direct),
    chat: at('openai-compatible', text),
  };
  const models = {
    quantum: [{ ...flux, timeout: '60s' }],
    hamilton: [{ engine: 'images', model: 'gpt-image-1.5', timeout: '60s' }],
    textcraft: [{ engine: 'chat', model: 'gpt-4.1-mini' }],
  };
  return {
    upstreams: { queue, direct, text },
    env: enginesEnv(folder, { engines, models }),
    close: async () => void (await Promise.all([queue, direct, text, fal, images, chat].map((one) => one.close()))),
  };
}
