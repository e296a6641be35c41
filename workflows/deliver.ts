/** Delivers an artwork's event along the schedule, until the receiver has it or wants no more. */
import { sleep } from '@temporalio/workflow';
import { deliveryJitter } from '../schemas/webhook.ts';
import { slowly, steps } from './steps.ts';
import { tell } from './story.ts';

/** @param schedule milliseconds before each try */
export async function deliver(id: string, schedule: readonly number[]): Promise<void> {
  let wait = lengthened(schedule[0] ?? 0);
  for (const index of schedule.keys()) {
    const attempt = index + 1;
    tell(`delivery ${attempt} of ${schedule.length}`);
    if (wait > 0) await sleep(wait, { summary: `before delivery ${attempt}` });
    const following = schedule[index + 1];
    const oneTry = { id, attempt, nextWait: following === undefined ? null : lengthened(following) };
    let answer = await steps.deliver(oneTry);
    if (answer.result === 'deferred') answer = await slowly.deliverSlowly(oneTry);
    if (answer.result !== 'failed') return;
    wait = answer.wait;
  }
}

/** Random numbers of a workflow are its own, and the same in every replay. */
function lengthened(wait: number): number {
  return Math.round(wait * (1 + deliveryJitter * Math.random()));
}
