/**
 * Limits how many creations of an organization run at a time in this process. Without the limit, a burst of one
 * organization delays the requests of all others.
 */
import { timeLeft } from '../runtime/deadline.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import { isUnavailable, Problem } from './problem.ts';

export interface CreationSlots {
  /**
   * Runs `work` when the organization has a free slot, in order of arrival.
   * @param gone aborts when the client disconnects; `work` then does not begin
   * @throws Problem `rate_limited` when the queue is full or the wait too long; `unavailable` when an earlier creation has
   * failed because Temporal, the database or the files do not respond; the reason of `gone`; the error of `work`
   */
  run<T>(org: string, gone: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** The creations of one organization. */
interface OrganizationQueue {
  /** Slots that are in use. */
  used: number;
  /** The creations that wait, in order. */
  queued: Set<QueuedCreation>;
}

interface QueuedCreation {
  begin(): void;
  reject(reason: Error): void;
}

interface SlotOptions {
  /** Number of slots of an organization. */
  slots?: number;
  /**
   * Milliseconds after which a running creation gives up its slot. Storing large images takes long, but uses little CPU.
   */
  maxSlotTime?: number;
  /** Maximum creations of an organization that wait. */
  maxQueued?: number;
  /** Maximum wait in milliseconds. The request needs the rest of its deadline to create the artwork. */
  maxWait?: number;
}

export function createCreationSlots({
  slots = 4,
  maxSlotTime = 1000,
  maxQueued = 1000,
  maxWait = 5000,
}: SlotOptions = {}): CreationSlots {
  const queues = new Map<string, OrganizationQueue>();
  const wait = ({ queued }: OrganizationQueue, gone: AbortSignal) =>
    new Promise<void>((resolve, fail) => {
      const leave = () => {
        clearTimeout(timer);
        gone.removeEventListener('abort', onGone);
        queued.delete(creation);
      };
      const creation: QueuedCreation = {
        begin() {
          leave();
          resolve();
        },
        reject(reason) {
          leave();
          fail(reason);
        },
      };
      const onGone = () => creation.reject(gone.reason as Error);
      const timer = setTimeout(() => creation.reject(tooMany()), timeLeft(maxWait));
      gone.addEventListener('abort', onGone);
      queued.add(creation);
    });
  const enter = async (org: string, gone: AbortSignal) => {
    gone.throwIfAborted();
    const queue = queues.get(org) ?? { used: 0, queued: new Set() };
    queues.set(org, queue);
    if (queue.used < slots) queue.used += 1;
    else if (queue.queued.size >= maxQueued) throw tooMany();
    else await wait(queue, gone);
    return queue;
  };
  const release = (org: string, queue: OrganizationQueue) => {
    // The next creation takes over the slot, so that a newer request cannot overtake it.
    const [next] = queue.queued;
    if (next) return next.begin();
    queue.used -= 1;
    if (queue.used === 0) queues.delete(org);
  };
  return {
    async run(org, gone, work) {
      const queue = await enter(org, gone);
      const began = performance.now();
      let holdsSlot = true;
      const end = () => {
        if (holdsSlot) release(org, queue);
        holdsSlot = false;
      };
      const timer = setTimeout(end, maxSlotTime);
      try {
        return await work();
      } catch (error) {
        // The creations that wait would reach the same timeout, one by one.
        const isOutage = isUnavailable(error) || isStoreUnavailable(error);
        if (isOutage && performance.now() - began >= maxSlotTime) {
          for (const { reject } of queue.queued) reject(new Problem('unavailable', { cause: error }));
        }
        throw error;
      } finally {
        clearTimeout(timer);
        end();
      }
    },
  };
}

/** Seconds before a client should retry. Every creation of a full queue has begun or failed by then. */
const retryAfter = '5';

function tooMany(): Problem {
  const message =
    'Too many creations of your organization are in progress. Send fewer at a time. Wait for the number of seconds in ' +
    'the Retry-After header, then try again.';
  return new Problem('rate_limited', { message, headers: { 'Retry-After': retryAfter }, limit: 'creationsAtOnce' });
}
