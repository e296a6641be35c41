/** The rules for updates name packages that the project has. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { lockedPackages } from '../../scripts/supply-chain/lock-file.ts';

interface Rule {
  description: string;
  matchPackageNames?: string[];
  matchDatasources?: string[];
}

const { packageRules } = JSON.parse(readFileSync('renovate.json', 'utf8')) as { packageRules: Rule[] };
const names = lockedPackages('.').map(({ name }) => name);
const images = readFileSync('docker-compose.yml', 'utf8').match(/(?<=image: )[\w./-]+/g) ?? [];

test.each(packageRules.flatMap((rule) => (rule.matchPackageNames ?? []).map((name) => [name, rule] as const)))(
  '%s',
  (pattern, { matchDatasources }) => {
    const known = matchDatasources?.includes('docker') ? images : names;
    const isMatch = (name: string) =>
      pattern.endsWith('**') ? name.startsWith(pattern.slice(0, -2)) : name === pattern;
    expect(known.some(isMatch)).toBe(true);
  },
);
