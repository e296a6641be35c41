/** Finds the service that runs in the data folder, or starts one for the demo. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startLanguageModel } from '../../test/upstreams/language-model.ts';

export interface Service {
  baseUrl: string;
  adminKey: string;
  /** Null when the service cannot read it. */
  webhookSecret: string | null;
  dataFolder: string;
  /** Stops the service if the demo has started it. */
  stop(): Promise<void>;
}

const dataFolder = resolve(process.env['ATELIER_DATA'] || '.atelier');

/** @param languageModel whether a small language model writes the texts; this needs a service that the demo starts itself */
export async function reachService(languageModel: boolean): Promise<Service> {
  const running = await findRunning();
  if (running && languageModel) throw new Error(`Stop the service that runs in ${dataFolder} to use --language-model.`);
  if (running) return { ...running, dataFolder, stop: () => Promise.resolve() };
  const model = languageModel ? await startLanguageModel() : null;
  const env = {
    ...process.env,
    ...(model && {
      ATELIER_LANGUAGE_URL: model.baseUrl,
      ATELIER_LANGUAGE_MODEL: model.model,
      ATELIER_LANGUAGE_JSON_SCHEMA: 'true',
    }),
  };
  const start = spawn(process.execPath, [fileURLToPath(new URL('../start.ts', import.meta.url))], {
    stdio: 'inherit',
    env,
  });
  const ended = new Promise<void>((resolve) => start.once('exit', () => resolve()));
  for (;;) {
    const started = await findRunning();
    if (started) {
      const stop = () => {
        start.kill('SIGTERM');
        return ended.then(() => model?.close());
      };
      return { ...started, dataFolder, stop };
    }
    if (start.exitCode !== null) throw new Error('The service did not start.');
    await delay(200);
  }
}

type Running = Pick<Service, 'baseUrl' | 'adminKey' | 'webhookSecret'>;

/** Returns the running service of demo.json, or null if it does not respond. */
async function findRunning(): Promise<Running | null> {
  try {
    const demo = JSON.parse(await readFile(resolve(dataFolder, 'demo.json'), 'utf8')) as Running;
    return (await fetch(`${demo.baseUrl}/health`)).ok ? demo : null;
  } catch {
    return null;
  }
}
