/** Combines concurrent reads of single values into one query. */
import { setTimeout as delay } from 'node:timers/promises';
import { within, withoutDeadline } from '../runtime/deadline.ts';
import { explainTimeout } from './pool.ts';

/** Minimum milliseconds between two batches. A batch after an idle period is sent at once. */
const interval = 5;
/** Milliseconds after which a batch no longer waits for the response to the previous one. */
const longestWait = 50;

/**
 * Returns a function that reads one value. Its query begins after the call, so the value is never older than the call.
 * Calls that arrive during a query share the next one.
 * @param read returns the values that exist; runs without the deadline of any caller
 */
export function batched<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | null> {
  let open: { keys: Set<Key>; values: Promise<ReadonlyMap<Key, Value>> } | null = null;
  let previous: Promise<unknown> = Promise.resolve();
  const begin = () => {
    const keys = new Set<Key>();
    const send = () => {
      open = null;
      const values = withoutDeadline(() => read([...keys]));
      const settled = values.then(ignore, ignore);
      previous = Promise.all([delay(interval), Promise.race([settled, delay(longestWait)])]);
      return values;
    };
    return { keys, values: previous.then(send) };
  };
  return async (key) => {
    open ??= begin();
    const { keys, values } = open;
    keys.add(key);
    try {
      // The deadline of the caller ends its wait, and not the query.
      return (await within(Infinity, () => values)).get(key) ?? null;
    } catch (error) {
      throw explainTimeout(error);
    }
  };
}

const ignore = () => undefined;
