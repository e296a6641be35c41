/** Parsers each of which breaks a rule. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Parser, Parsers, Table } from './parser.ts';

const parser = (parse: Parser['parse']): Parser => ({ modules: [], examples: ['a'], parse });

/** Keeps the process busy. @param time milliseconds of CPU time */
function work(time: number): void {
  const begin = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(begin);
    if ((user + system) / 1000 >= time) return;
  }
}

/** Takes a second for 64 K characters. */
const quadratic = ({ length }: string) => work((length / 2048) ** 2);

const megabyte = 1024 * 1024;

const parsers: Parsers = {
  'throws for its example': {
    ...parser((input) => JSON.parse(input)),
    mayThrow: (error) => error instanceof SyntaxError,
  },
  'throws an error that it does not document': parser((input) => {
    if (input.length > 100) throw new TypeError('a bug');
  }),
  'takes quadratic time': { ...parser(quadratic), base: 2000 },
  'takes quadratic time after a second of preparation': {
    ...parser((input) => {
      work(1000);
      quadratic(input);
    }),
    base: 3000,
    share: 1 / 10,
  },
  'takes a second for a short input': parser(() => work(1000)),
  'takes 700 MB for buffers': {
    ...parser((input) => {
      if (input.length > 100) Buffer.alloc(700 * megabyte, 1);
    }),
    base: 3000,
  },
  'takes 700 MB for objects': parser((input) => {
    if (input.length > 100) Array.from({ length: 10 * megabyte }, () => [input.length]);
  }),
  'does not end': parser((input) => {
    if (input.length > 100) work(Infinity);
  }),
  'waits for too long': parser((input) => (input.length > 1 ? sleep(10_000) : null)),
};

export const open: Table['open'] = () => Promise.resolve({ parsers, close: () => Promise.resolve() });
