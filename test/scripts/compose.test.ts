/** docker-compose.yml and the settings of the service do not drift apart. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { settings } from '../../runtime/config.ts';

interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string | number>;
  depends_on?: Record<string, unknown>;
}

const text = readFileSync('docker-compose.yml', 'utf8');
const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
const ours = Object.entries(services).filter(([, { image }]) => image === 'atelier');

test.each(ours)('%s is given settings that exist, and runs a file that is there', (_name, { environment, command }) => {
  const names = Object.keys(environment ?? {});
  expect(Object.keys(settings.properties)).toEqual(expect.arrayContaining(names));
  expect(existsSync(String(command?.[1]))).toBe(true);
});

/** Set by the image, or fixed by the network of the compose file. */
const given = ['NODE_ENV', 'ATELIER_DATA', 'ATELIER_TASK_QUEUE'];

test('every setting reaches the containers, with the default that it has anywhere', () => {
  const { api } = services;
  const names = Object.keys(settings.properties).filter((name) => !given.includes(name));
  expect(Object.keys(api?.environment ?? {})).toEqual(expect.arrayContaining(names));
  for (const [name, usual] of Object.entries(settings.properties)) {
    const passed = /^\$\{(\w+):-(.*)\}$/.exec(String(api?.environment?.[name] ?? ''));
    if (passed)
      expect([passed[1], passed[2]]).toEqual([
        name,
        String((usual as { default?: string | number | boolean }).default ?? ''),
      ]);
  }
});

test('services depend on services that are there', () => {
  const needed = Object.values(services).flatMap(({ depends_on: needs }) => Object.keys(needs ?? {}));
  expect(Object.keys(services)).toEqual(expect.arrayContaining(needed));
});

test('no secret has a default', () => {
  for (const [, name] of text.matchAll(/\$\{(\w*(?<!PREVIOUS_)(?:SECRET|PASSWORD))/g)) {
    expect(text).not.toMatch(new RegExp(`\\$\\{${name}(?!:\\?)`));
  }
});
