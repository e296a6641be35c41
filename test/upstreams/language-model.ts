/** A real language model, small enough for tests, behind OpenAI's API. By itself: `node test/upstreams/language-model.ts --port 8081`. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { findWeights, type WeightsOptions } from './language-model-weights.ts';

export interface LanguageModel {
  /** Base URL, including the version: `http://127.0.0.1:8081/v1`. */
  baseUrl: string;
  /** Name of the model in requests. */
  model: string;
  pid: number;
  close(): Promise<void>;
}

export interface LanguageModelOptions extends WeightsOptions {
  /** 0 uses any free port. */
  port?: number;
}

/** Starts the model in a process of its own, so that a crash of its native code does not end the tests. */
export async function startLanguageModel({ port = 0, ...options }: LanguageModelOptions = {}): Promise<LanguageModel> {
  const weights = await findWeights(options);
  const { NODE_OPTIONS: _ofJest, ...env } = process.env;
  const child = fork(new URL('language-model-server.ts', import.meta.url), [weights, String(port)], {
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { port: taken, model } = await announcement(child);
  const exited = once(child, 'exit');
  return {
    baseUrl: `http://127.0.0.1:${taken}/v1`,
    model,
    pid: child.pid as number,
    async close() {
      child.kill();
      await exited;
    },
  };
}

/** Waits for the port and the model's name. @throws Error when the process ends first; standard error has its reason */
async function announcement(child: ChildProcess): Promise<{ port: number; model: string }> {
  const message = once(child, 'message') as Promise<[{ port: number; model: string }]>;
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const first = await Promise.race([message, exit.then(([code, signal]) => code ?? signal)]);
  if (Array.isArray(first)) return first[0];
  throw new Error(`The language model ended before it was ready (${first})`);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '8081' } } });
  const { baseUrl, model, close } = await startLanguageModel({ port: Number(values.port), progress: console.log });
  console.log(`${model} is available at ${baseUrl}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close());
}
