/** The fake of fal in a process of its own, so that other work of the test does not delay the times of submissions. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface FalAlone {
  url: string;
  /** Epoch milliseconds of each submission. */
  submittedAt(): Promise<number[]>;
  close(): Promise<void>;
}

const entry = fileURLToPath(new URL('fal-process.ts', import.meta.url));

export async function startFalAlone(apiKey: string): Promise<FalAlone> {
  const child = fork(entry, [apiKey], { env: { ...process.env, NODE_OPTIONS: '' } });
  const nextMessage = async <T>(): Promise<T> => ((await once(child, 'message')) as [T])[0];
  const url = await nextMessage<string>();
  return {
    url,
    submittedAt() {
      child.send('times');
      return nextMessage<number[]>();
    },
    async close() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}
