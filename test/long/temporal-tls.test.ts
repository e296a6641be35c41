/** A Temporal server 1.29 with mTLS: every process uses it, and says what is wrong when the server rejects it. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createAuthority } from '../../scripts/local/certificate.ts';
import { create, ended } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { runUntilItEnds } from '../support/failing-process.ts';
import { operatorProcess } from '../support/operator.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { shared } from '../support/shared.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { startTestTemporal, type TestTemporal } from '../support/temporal-server.ts';
import { writtenFile } from '../support/written-file.ts';

// The first run on a machine builds the server.
jest.setTimeout(900_000);

const folder = mkdtempSync(join(shared().folder, 'certificates-'));
const write = (name: string, content: string) => writtenFile(folder, name, content);
const [ours, theirs] = [createAuthority('ours'), createAuthority('theirs')];
const authorities = { ours: write('ours.pem', ours.cert), theirs: write('theirs.pem', theirs.cert) };
const pair = (name: string, { cert, key }: { cert: string; key: string }) => ({
  cert: write(`${name}.pem`, cert),
  key: write(`${name}.key`, key),
});
const host = 'temporal.test';
const frontend = pair('frontend', ours.issue([host, '127.0.0.1']));
const client = pair('client', ours.issue(['client']));
const stranger = pair('stranger', theirs.issue(['stranger']));

const namespace = 'mutual';
const withCertificate = ({ cert, key }: { cert: string; key: string }) => ({
  TEMPORAL_TLS_CLIENT_CERT_PATH: cert,
  TEMPORAL_TLS_CLIENT_KEY_PATH: key,
});
const server = { TEMPORAL_TLS_SERVER_CA_CERT_PATH: authorities.ours, TEMPORAL_TLS_SERVER_NAME: host };
const mutual = { ...server, ...withCertificate(client), TEMPORAL_NAMESPACE: namespace };

let temporal: TestTemporal;
let stack: Stack;
let receiver: Receiver;

const untilReady = () => {
  return temporal.register({ ...mutual, TEMPORAL_ADDRESS: temporal.server.address });
};

beforeAll(async () => {
  temporal = await startTestTemporal({ tls: { ...frontend, clientAuthority: authorities.ours } });
  receiver = await startReceiver();
  await untilReady();
});
afterAll(async () => {
  await stack?.stop();
  await receiver?.close();
  await temporal?.server.stop();
});

const environment = (variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...process.env,
  TEMPORAL_ADDRESS: temporal.server.address,
  TEMPORAL_NAMESPACE: namespace,
  DATABASE_URL: shared().databaseUrl,
  ATELIER_SECRET: 'a secret for tests, at least 32 characters',
  ATELIER_DATA: folder,
  ATELIER_TASK_QUEUE: `tls-${randomUUID()}`,
  ...variables,
});

test('migration adds the search attributes over mTLS', async () => {
  const { code, output } = await runUntilItEnds('scripts/migrate.ts', [], environment(mutual));
  expect([code, output]).toEqual([0, expect.stringContaining(`namespace ${namespace} has the search attributes`)]);
});

test('API, worker and operator bring an artwork to its webhook over mTLS', async () => {
  stack = await startStack({ ...shared(), temporalAddress: temporal.server.address, env: mutual });
  const body = { prompt: 'a red fox', width: 256, height: 256, webhookUrl: receiver.url };
  // The first workflow of a new server can take longer than the API waits.
  const { id } = await eventually(() => create(stack, body), 60_000, 500);
  const [event] = await receiver.until(id);
  expect(event?.event.type).toBe('artwork.succeeded');
  const { code, stdout } = await operatorProcess({ ...stack.env, NODE_OPTIONS: '' }, '--json', 'engines', 'list');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ engine: 'local', waiting: 0 }));
});

test('uses the certificates of a profile in a configuration file', async () => {
  const toml = `[profile.production]
address = "${temporal.server.address}"
namespace = "${namespace}"
[profile.production.tls]
client_cert_path = "${client.cert}"
client_key_path = "${client.key}"
server_ca_cert_path = "${authorities.ours}"
server_name = "${host}"
`;
  const profile = { TEMPORAL_CONFIG_FILE: write('temporal.toml', toml), TEMPORAL_PROFILE: 'production' };
  const { code } = await runUntilItEnds('scripts/migrate.ts', [], {
    ...environment(profile),
    TEMPORAL_ADDRESS: '',
    TEMPORAL_NAMESPACE: '',
  });
  expect(code).toBe(0);
});

const entries: [string, string, string[]][] = [
  ['worker', 'workers/main.ts', []],
  ['migration', 'scripts/migrate.ts', []],
  ['operator', 'operator/main.ts', ['engines', 'list']],
];
const rejections: [string, NodeJS.ProcessEnv, string][] = [
  [
    'the client has no certificate',
    server,
    'requires a client certificate. Set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH.',
  ],
  [
    'the certificate is of another authority',
    { ...server, ...withCertificate(stranger) },
    'rejected the client certificate (unknown ca). TEMPORAL_TLS_CLIENT_CERT_PATH must be issued by',
  ],
  [
    "the server's authority is unknown",
    { ...mutual, TEMPORAL_TLS_SERVER_CA_CERT_PATH: '' },
    'has a certificate of an unknown authority. Set TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  ],
  [
    'the server has another name',
    { ...mutual, TEMPORAL_TLS_SERVER_NAME: 'wrong.test' },
    `is not valid for wrong.test. Set TEMPORAL_TLS_SERVER_NAME to a name of the certificate (DNS:${host}`,
  ],
  ['the connection is not encrypted', {}, 'closes unencrypted connections. Set TEMPORAL_TLS=true'],
];

test.each(rejections)('every process ends with one sentence when %s', async (_name, variables, sentence) => {
  for (const [name, entry, args] of entries) {
    const { code, output } = await runUntilItEnds(entry, args, environment(variables));
    expect([name, code]).toEqual([name, 1]);
    expect(output).toContain(sentence);
    expect(output).not.toMatch(/\n\s+at |"stack"/);
  }
});

test('says that the namespace does not exist', async () => {
  const { code, output } = await runUntilItEnds(
    'workers/main.ts',
    [],
    environment({ ...mutual, TEMPORAL_NAMESPACE: 'elsewhere' }),
  );
  expect([code, output]).toEqual([1, expect.stringContaining('has no namespace elsewhere. Check TEMPORAL_NAMESPACE')]);
});

test('a running worker whose certificate is rejected says so, and continues when it is accepted again', async () => {
  const log = () => readFileSync(join(stack.dataFolder, 'workers-main-ts.log'), 'utf8');
  await temporal.restart({ tls: { ...frontend, clientAuthority: authorities.theirs } });
  await eventually(() => expect(log()).toContain('rejected the client certificate (unknown ca)'), 60_000);
  expect(log()).not.toContain('retried');
  await temporal.restart({ tls: { ...frontend, clientAuthority: authorities.ours } });
  await untilReady();
  const { id } = await eventually(() => create(stack, { prompt: 'a red fox', width: 256, height: 256 }), 60_000, 500);
  expect((await ended(stack, id, 60_000)).status).toBe('SUCCEEDED');
});
