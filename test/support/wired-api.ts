/** One more API of a stack, which reaches PostgreSQL through a wire and may be killed. */
import type { Running } from '../../scripts/local/child.ts';
import { claimPort } from '../../scripts/local/ports.ts';
import type { Stack } from './stack.ts';
import type { Wire } from './wire.ts';

export interface WiredApi {
  url: string;
  readonly pid: number;
  /** Starts it again after it has exited. */
  restart(): Promise<void>;
  /** Releases its port. The stack stops the process. */
  close(): void;
}

export async function startWiredApi(stack: Stack, wire: Wire): Promise<WiredApi> {
  const { port, release } = await claimPort(0);
  const start = () => stack.startApi(0, { PORT: String(port), DATABASE_URL: wire.url });
  let running: Running = await start();
  return {
    url: `http://127.0.0.1:${port}`,
    get pid() {
      return running.pid;
    },
    async restart() {
      running = await start();
    },
    close: release,
  };
}
