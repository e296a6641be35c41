/** Delivers an artwork's event on schedule, until a 2xx, a 410 or the end of the schedule, and after each redelivery signal. */
import { CancellationScope, condition, sleep } from '@temporalio/workflow';
import { deliveryJitter } from '../schemas/webhook.ts';
import type { DeliveryAttempt, EarlierDeliveries } from '../schemas/workflow.ts';
import { slowSteps, steps } from './activities.ts';
import { addDetail } from './details.ts';
import type { ReceivedSignals } from './signals.ts';

/**
 * Never returns, because a client can request a redelivery until the artwork expires. The caller cancels it.
 * @param schedule milliseconds before each attempt
 * @param earlier the attempts of an earlier workflow, after which this one continues
 */
export async function deliver(
  id: string,
  schedule: readonly number[],
  signals: ReceivedSignals,
  earlier?: EarlierDeliveries,
): Promise<never> {
  let scheduled = earlier?.scheduled ?? 0;
  let wait: number | null = earlier ? waitUntil(earlier.nextAt) : withJitter(schedule[0] ?? 0);
  for (let attempt = (earlier?.attempts ?? 0) + 1; ; attempt++) {
    addDetail(wait === null ? 'kept until its retention ends' : `delivery ${scheduled + 1} of ${schedule.length}`);
    const due: number | null = wait === null ? null : Date.now() + wait;
    const isRedelivery = await waitUntilDue(wait, `before delivery ${attempt}`, signals);
    signals.redeliver = false;
    if (isRedelivery) addDetail('redelivery');
    // A redelivery does not count against the schedule, which continues where it was if the redelivery fails.
    const nextWait = isRedelivery ? due && Math.max(due - Date.now(), 0) : waitBefore(schedule, ++scheduled);
    wait = await attemptDelivery({ id, attempt, nextWait });
  }
}

/**
 * Waits for the next scheduled attempt or for a redelivery signal. Returns whether the signal came first.
 * @param wait milliseconds; null when no attempt is scheduled
 */
async function waitUntilDue(wait: number | null, summary: string, signals: ReceivedSignals): Promise<boolean> {
  if (wait !== null && wait <= 0) return false;
  const waiting = new CancellationScope();
  return waiting.run(async () => {
    const signaled = condition(() => signals.redeliver).then(() => true);
    const isRedelivery = await (wait === null
      ? signaled
      : Promise.race([signaled, sleep(wait, { summary }).then(() => false)]));
    waiting.cancel();
    return isRedelivery;
  });
}

/** Returns the milliseconds before the next attempt, or null when no other is due. */
async function attemptDelivery(delivery: DeliveryAttempt): Promise<number | null> {
  let outcome = await steps.deliver(delivery);
  if (outcome.result === 'deferred') outcome = await slowSteps.deliverSlowly(delivery);
  return outcome.result === 'failed' ? outcome.wait : null;
}

const waitUntil = (time: number | null) => time && Math.max(time - Date.now(), 0);

function waitBefore(schedule: readonly number[], index: number): number | null {
  const wait = schedule[index];
  return wait === undefined ? null : withJitter(wait);
}

/** In a workflow, `Math.random` is seeded, so a replay repeats the same numbers. */
function withJitter(wait: number): number {
  return Math.round(wait * (1 + deliveryJitter * Math.random()));
}
