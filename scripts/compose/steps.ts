/** Steps that both drills take. */
import type { Compose } from './docker.ts';

export interface Account {
  baseUrl: string;
  adminKey: string;
  webhookSecret: string;
}

/** Runs a command of the operator in an API's container. @returns what it prints as JSON */
export async function operate(compose: Compose, ...args: string[]): Promise<unknown> {
  return JSON.parse(await compose('exec', '-T', 'api', 'node', 'operator/main.ts', ...args, '--json'));
}

export async function createAccount(compose: Compose, baseUrl: string): Promise<Account> {
  const { orgId = '', webhookSecret = '' } = (await operate(compose, 'organizations', 'create', 'Acme')) as Strings;
  const { apiKey: adminKey = '' } = (await operate(compose, 'keys', 'create', orgId, '--scope', 'admin')) as Strings;
  return { baseUrl, adminKey, webhookSecret };
}

type Strings = Readonly<Record<string, string>>;

/** Returns a program for Node that prints whether a port can be reached. */
export const reaches = (host: string, port: number) => `
  const socket = require('node:net').connect({ host: '${host}', port: ${port}, timeout: 3000 });
  const end = (text) => () => { console.log(text); process.exit(); };
  socket.on('connect', end('reached')).on('error', end('not reached')).on('timeout', end('not reached'));`;

export function expectEqual(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${what} ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
}
