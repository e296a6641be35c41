/** The actions that Temporal Cloud bills for recorded histories; docs/deploy/temporal-cloud.md states them. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { countActions } from '../../scripts/histories/actions.ts';
import { fromText } from '../../scripts/histories/json.ts';

const folder = fileURLToPath(new URL('histories/2.6.2/', import.meta.url));
const count = (name: string) => countActions(fromText(readFileSync(`${folder}${name}.json`, 'utf8')));

const delivered = { 'workflow start': 1, activity: 1, timer: 1, 'search attributes': 1, 'local activities': 2 };

test('an artwork with one call takes six actions until it sleeps, and its purge one more', () => {
  expect(count('success')).toEqual(delivered);
  // This artwork has two images.
  expect(count('purged')).toEqual({ ...delivered, activity: 2, 'local activities': 3 });
});

test('each further call takes one action, and each further delivery attempt two', () => {
  expect(count('seer')).toEqual({ ...delivered, activity: 2 });
  expect(count('delivered-again')).toEqual({ ...delivered, timer: 2, 'local activities': 3 });
});

test('the search attribute of patches is free, and signals are not', () => {
  expect(count('never-stored-claim-ended')).toEqual({
    'workflow start': 1,
    timer: 1,
    'search attributes': 1,
    'local activities': 2,
  });
  expect(count('canceled')).toMatchObject({ signal: 1 });
});
