/** The maximum of connections leaves files for everything else that the process opens. */
import { expect, test } from '@jest/globals';
import { affordableConnections } from '../runtime/connection-limits.ts';

test.each([
  [Infinity, 10_000],
  [1_048_576, 10_000],
  [11_000, 10_000],
  [4096, 3096],
  [1024, 512],
])('with %d files, a process keeps %d connections', (openFiles, connections) => {
  expect(affordableConnections(10_000, openFiles)).toBe(connections);
});
