/** Delivers an artwork's event along the schedule, until the receiver has it or wants no more, and when asked to. */
import { CancellationScope, condition, sleep } from '@temporalio/workflow';
import { deliveryJitter } from '../schemas/webhook.ts';
import type { DeliveryTry } from '../schemas/workflow.ts';
import type { Orders } from './orders.ts';
import { slowly, steps } from './steps.ts';
import { tell } from './story.ts';

/** Ends with the artwork's life alone: its event can be asked for until then. @param schedule milliseconds before each try */
export async function deliver(id: string, schedule: readonly number[], orders: Orders): Promise<never> {
  let made = 0;
  let wait: number | null = lengthened(schedule[0] ?? 0);
  for (let attempt = 1; ; attempt++) {
    tell(wait === null ? 'kept until its retention ends' : `delivery ${made + 1} of ${schedule.length}`);
    const due: number | null = wait === null ? null : Date.now() + wait;
    const isAsked = await untilDue(wait, `before delivery ${attempt}`, orders);
    orders.redelivery = false;
    if (isAsked) tell('delivery that was asked for');
    // A try that is asked for takes no place in the schedule, which goes on where it was when the try has failed.
    const nextWait = isAsked ? due && Math.max(due - Date.now(), 0) : following(schedule, ++made);
    wait = await tryOnce({ id, attempt, nextWait });
  }
}

/** @returns whether the try has been asked for before it was due @param wait milliseconds; null: it never is */
async function untilDue(wait: number | null, summary: string, orders: Orders): Promise<boolean> {
  if (wait !== null && wait <= 0) return false;
  const waiting = new CancellationScope();
  return waiting.run(async () => {
    const asked = condition(() => orders.redelivery).then(() => true);
    const isAsked = await (wait === null ? asked : Promise.race([asked, sleep(wait, { summary }).then(() => false)]));
    waiting.cancel();
    return isAsked;
  });
}

/** @returns milliseconds before the next try, or null when none is due */
async function tryOnce(oneTry: DeliveryTry): Promise<number | null> {
  let answer = await steps.deliver(oneTry);
  if (answer.result === 'deferred') answer = await slowly.deliverSlowly(oneTry);
  return answer.result === 'failed' ? answer.wait : null;
}

function following(schedule: readonly number[], index: number): number | null {
  const wait = schedule[index];
  return wait === undefined ? null : lengthened(wait);
}

/** Random numbers of a workflow are its own, and the same in every replay. */
function lengthened(wait: number): number {
  return Math.round(wait * (1 + deliveryJitter * Math.random()));
}
