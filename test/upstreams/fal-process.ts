/** The process of `fal-alone.ts`: tells its address, and when asked the times of its submissions. */
import { startFal } from './fal.ts';

const [, , apiKey = ''] = process.argv;
const fal = await startFal({ apiKey });
process.on('message', () => process.send?.(fal.submittedAt));
process.once('disconnect', () => void fal.close());
process.send?.(fal.url);
