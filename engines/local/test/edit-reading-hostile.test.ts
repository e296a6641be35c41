/** Instructions that are written to keep the reader busy are read or rejected quickly. */
import { createContext, runInContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { EngineError } from '../../contract/index.ts';
import { read } from '../edit/read/index.ts';

/** The longest clause and the longest instruction, in characters. */
const lengths = [200, 4000];

const groups: [start: string, group: string, end: string][] = [
  ['extend ', '1x1.', 'z'],
  ['extend the image ', 'post ', 'zz'],
  ['extend ', 'frame ', 'zz'],
  ['crop to ', '1 to 1 ', 'z'],
  ['crop ', 'tight in ', '1'],
  ['remove ', 'marked aititit', '!1'],
  ['remove ', 'it', '1'],
  ['make the car', ' to be', ' 1'],
  ['make the car', ' from to', ' 1'],
  ['rotate ', 'counter clockwise ', 'z'],
  ['flip', ' left right up', ' z'],
  ['keep the dog', ' in in focus', ' 1'],
  ['put ', 'a the as the ', '1 background of'],
  ['make the ', 'background to be ', '1'],
  ['blur ', 'the background ', '1'],
  ['brighten ', 'in the a', '1'],
  ['brighten the ', "a'", '1'],
  ['brighten ', 'behind the ', '1'],
  ['brighten by ', 'about around by ', 'z'],
  ['brighten by ', '1', ' z'],
  ['', 'the whole entire ', 'z'],
  ['', ' ', 'z'],
  ['', 'black', ' z'],
  ['', "not too much, it's ", 'z'],
  ['make it warm', ' and warm', ' z'],
  ['add ', 'nice soft-', 'bokeh z'],
  ['cool', ' cool cool', ' down'],
  ['add ', 'a tint to ', '1'],
];

test.each(groups.flatMap((group) => lengths.map((length) => [length, ...group] as const)))(
  'reads or rejects %i letters of "%s%s…%s" within two seconds',
  (length, start, group, end) => {
    const times = Math.floor((length - start.length - end.length) / group.length);
    const instruction = start + group.repeat(times) + end;
    for (const mask of [false, true]) {
      const attempt = (): string => {
        try {
          read(instruction, { mask });
          return 'read';
        } catch (error) {
          return error instanceof EngineError ? error.code : String(error);
        }
      };
      // Only `timeout` can end a pattern that backtracks without end; a timer of the test would never run.
      const outcome: unknown = runInContext('attempt()', createContext({ attempt }), { timeout: 2_000 });
      expect(['read', 'input_invalid']).toContain(outcome);
    }
  },
);
