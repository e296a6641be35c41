/** The process of `fal-alone.ts`: sends its address, and on request the times of its submissions. */
import { startFal } from './fal.ts';

const [, , apiKey = ''] = process.argv;
const fal = await startFal({ apiKey });
process.on('message', () => process.send?.(fal.submittedAt));
process.once('disconnect', () => void fal.close());
process.send?.(fal.url);
