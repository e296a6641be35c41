/** Judges the logs of every process, PostgreSQL's included: they contain no prompt and no secret. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiKey as providerKey } from '../support/engines.ts';
import { markerIn } from './marker.ts';
import type { System } from './system.ts';

export function judgeLogs({ service, key }: Pick<System, 'service' | 'key'>): string[] {
  const folder = join(service.dataFolder, 'logs');
  const logs = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
  const secrets = [key.apiKey, service.adminKey, service.webhookSecret, service.secret, providerKey];
  return [...logs, ['output', service.output()] as const].flatMap(([name, text]) => [
    ...promptIn(name, text),
    // The command shows the demo key to its user.
    ...(name !== 'output' && secrets.some((secret) => text.includes(secret)) ? [`The log ${name} has a secret`] : []),
  ]);
}

function promptIn(name: string, text: string): string[] {
  const line = text.split('\n').find((one) => markerIn(one) !== null);
  return line === undefined ? [] : [`The log ${name} has a prompt: ${line.slice(0, 1000)}`];
}
