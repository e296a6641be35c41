/** The entry of a process that decodes untrusted images: one at a time, within its limits. */
import sharp from 'sharp';
import { type Conversion, convert, type Outcome } from './conversions.ts';
import type { DecodeLimits } from './decode-limits.ts';
import { allowFormats } from './loaders.ts';

export interface DecodeRequest {
  file: Uint8Array;
  conversion: Conversion;
  limits: DecodeLimits;
}

export interface DecodeReply {
  outcome: Outcome;
  /** Whether the process should end, because its memory would count towards the limit of the next image. */
  isSpent: boolean;
}

/** Milliseconds between two checks of the limits. */
const checkInterval = 20;
/** Bytes of a process that can decode another image. */
const reusable = 192 * 1024 * 1024;

sharp.cache(false);
sharp.concurrency(1);
allowFormats(['png', 'jpeg', 'webp']);

/** A thread of libvips cannot be stopped, and an orderly exit would wait for it. */
const end = () => void process.kill(process.pid, 'SIGKILL');

process.on('message', (request: DecodeRequest) => void serve(request));
process.on('disconnect', end);
// Ctrl-C in a terminal also reaches this process. The service ends it when it no longer needs it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

async function serve({ file, conversion, limits }: DecodeRequest): Promise<void> {
  const before = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    const isWithin = (user + system) / 1000 <= limits.cpuTime && process.memoryUsage.rss() <= limits.memory;
    if (isWithin) return;
    clearInterval(timer);
    process.send?.({ outcome: { refused: 'image-too-costly' }, isSpent: true } satisfies DecodeReply, end);
  }, checkInterval);
  const outcome = await convert(file, conversion);
  clearInterval(timer);
  const isSpent = process.memoryUsage.rss() > reusable;
  process.send?.({ outcome, isSpent } satisfies DecodeReply);
}
