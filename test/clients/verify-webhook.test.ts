/** Verification of webhooks: the module for receivers, and the receivers in the README. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signatureHeaders } from '../../activities/signature.ts';
import { verifyWebhook, verifyWebhookWithPublicKey } from '../../clients/verify-webhook.ts';
import { claimPort } from '../../scripts/local/ports.ts';
import { eventually } from '../support/eventually.ts';

const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const older = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const body = '{"type":"artwork.succeeded","eventId":"evt_01JG","id":"art_01JG","status":"SUCCEEDED"}';
const seconds = () => Math.floor(Date.now() / 1000);
const signed = (secrets: string[], timestamp = seconds(), text = body) =>
  signatureHeaders({ eventId: 'evt_01JG', timestamp, body: text }, secrets);

test("verifies the contract's test vector at its time", async () => {
  const headers = {
    'Atelier-Timestamp': '1767225600',
    'Atelier-Signature': '9c7242293506ac561aca26f09980b0ff64c33f24faa353458f139b0bf0622d87',
  };
  const now = () => 1767225600_000;
  expect(await verifyWebhook(body, headers, secret, { now })).toEqual(JSON.parse(body));
  expect(await verifyWebhook(Buffer.from(body), new Headers(headers), secret, { now })).toEqual(JSON.parse(body));
});

test('accepts the old and the new secret during a grace period, and no other secret', async () => {
  const headers = signed([secret, older]);
  for (const key of [secret, older]) expect(await verifyWebhook(body, headers, key)).toEqual(JSON.parse(body));
  await expect(verifyWebhook(body, headers, other)).rejects.toMatchObject({ reason: 'signature_mismatch' });
});

const publicKey = 'whpk_A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=';
const otherPublicKey = `whpk_${Buffer.alloc(32, 5).toString('base64')}`;

describe('with a public key', () => {
  /** The delivery in docs/security/webhooks.md. */
  const vector = {
    'webhook-id': 'evt_01JG',
    'webhook-timestamp': '1767225600',
    'webhook-signature':
      'v1,8vb+0wtLcoQs0z7CK2+ibNErIieyScHTWKNo4jPAiyA= ' +
      'v1a,ViETY7kTCUeRgwQcPkOiTM/iWhxjUTeEdWiCIHz4MTUAmIHRrZvzvS9GAR0ruKNRyD97iJ92SWwO1YZj0RckDg==',
  };
  const now = () => 1767225600_000;

  test('verifies the test vector, which the documentation contains', async () => {
    const page = await readFile(new URL('../../docs/security/webhooks.md', import.meta.url), 'utf8');
    for (const text of [publicKey, ...vector['webhook-signature'].split(' ')]) expect(page).toContain(text);
    expect(await verifyWebhookWithPublicKey(body, vector, publicKey, { now })).toEqual(JSON.parse(body));
    const keys = [otherPublicKey, publicKey];
    const bytes = Buffer.from(body);
    expect(await verifyWebhookWithPublicKey(bytes, new Headers(vector), keys, { now })).toEqual(JSON.parse(body));
  });

  test.each<[name: string, text: string, headers: Record<string, string>, key: string, reason: string]>([
    ['another body', `${body} `, vector, publicKey, 'signature_mismatch'],
    ['another id', body, { ...vector, 'webhook-id': 'evt_01JH' }, publicKey, 'signature_mismatch'],
    ['another timestamp', body, { ...vector, 'webhook-timestamp': '1767225601' }, publicKey, 'signature_mismatch'],
    ['another key', body, vector, otherPublicKey, 'signature_mismatch'],
    [
      'a delivery that is signed with the secret only',
      body,
      { ...vector, 'webhook-signature': vector['webhook-signature'].split(' ')[0]! },
      publicKey,
      'signature_mismatch',
    ],
    ['a timestamp that is no number', body, { ...vector, 'webhook-timestamp': 'now' }, publicKey, 'header_malformed'],
    ['no signature', body, { ...vector, 'webhook-signature': '' }, publicKey, 'header_missing'],
  ])('rejects %s', async (_name, text, headers, key, reason) => {
    await expect(verifyWebhookWithPublicKey(text, headers, key, { now })).rejects.toMatchObject({ reason });
  });

  test('rejects an old delivery, and says what is wrong with a key', async () => {
    const old = verifyWebhookWithPublicKey(body, vector, publicKey, { now: () => 1767225901_000 });
    await expect(old).rejects.toMatchObject({ reason: 'timestamp_out_of_tolerance' });
    await expect(verifyWebhookWithPublicKey(body, vector, secret)).rejects.toThrow('must be whpk_');
  });
});

const good = signed([secret]);
const refused: [name: string, text: string, headers: Record<string, string>, reason: string][] = [
  ['another body', `${body} `, good, 'signature_mismatch'],
  ['another timestamp', body, { ...good, 'Atelier-Timestamp': String(seconds() - 1) }, 'signature_mismatch'],
  [
    'the signature of the webhook-signature header',
    body,
    { ...good, 'Atelier-Signature': good['webhook-signature']! },
    'signature_mismatch',
  ],
  [
    'half a signature',
    body,
    { ...good, 'Atelier-Signature': good['Atelier-Signature']!.slice(32) },
    'signature_mismatch',
  ],
  ['an old delivery', body, signed([secret], seconds() - 301), 'timestamp_out_of_tolerance'],
  ['a delivery from the future', body, signed([secret], seconds() + 330), 'timestamp_out_of_tolerance'],
  ['no signature', body, { 'Atelier-Timestamp': String(seconds()) }, 'header_missing'],
  ['no timestamp', body, { 'Atelier-Signature': good['Atelier-Signature']! }, 'header_missing'],
  ['a timestamp that is not a number', body, { ...good, 'Atelier-Timestamp': 'yesterday' }, 'header_malformed'],
];
test.each(refused)('rejects %s', async (_name, text, headers, reason) => {
  await expect(verifyWebhook(text, headers, secret)).rejects.toMatchObject({ name: 'WebhookRefused', reason });
});

test('accepts an old delivery when the receiver allows any age', async () => {
  const headers = signed([secret], 1_000_000_000);
  expect(await verifyWebhook(body, headers, secret, { toleranceSeconds: Infinity })).toEqual(JSON.parse(body));
});

interface Language {
  file: string;
  /** Command that succeeds if the language is installed. */
  probe: [string, ...string[]];
  build?: [string, ...string[]];
  run: [string, ...string[]];
}

const languages: Language[] = [
  { file: 'receiver.mjs', probe: [process.execPath, '--version'], run: [process.execPath, 'receiver.mjs'] },
  { file: 'receiver.py', probe: ['python3', '--version'], run: ['python3', 'receiver.py'] },
  {
    file: 'receiver.go',
    probe: ['go', 'version'],
    build: ['go', 'build', '-o', 'receiver', 'receiver.go'],
    run: ['./receiver'],
  },
];
const installed = languages.filter(({ probe: [command, ...args] }) => spawnSync(command, args).status === 0);
const skipped = languages.filter((language) => !installed.includes(language)).map(({ file }) => file);
if (skipped.length > 0) console.warn(`Not run, because their languages are not installed: ${skipped.join(', ')}`);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-receivers-'));
  await copyFile(
    fileURLToPath(new URL('../../clients/verify-webhook.ts', import.meta.url)),
    join(folder, 'verify-webhook.ts'),
  );
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  for (const { file } of languages) {
    const source = new RegExp(`\`\`\`\\w+ ${file}\\n(.*?)\`\`\``, 's').exec(readme)?.[1];
    await writeFile(join(folder, file), source ?? '');
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(installed)(
  'the README’s $file accepts genuine deliveries and rejects all others',
  async ({ file, build, run: [command, ...args] }) => {
    if (build) {
      const [tool, ...words] = build;
      const { status, stderr } = spawnSync(tool, words, { cwd: folder, encoding: 'utf8' });
      expect([file, status, stderr]).toEqual([file, 0, '']);
    }
    const port = await claimPort(0);
    const env = { ...process.env, NODE_OPTIONS: '', PORT: String(port.port), WEBHOOK_SECRET: secret };
    const child = spawn(command, args, { cwd: folder, env });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const post = async (text: string, headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${port.port}/`, { method: 'POST', body: text, headers })).status;
    try {
      await eventually(() => post(body, {}), 60_000);
      expect(await post(body, signed([secret]))).toBe(204);
      expect(await post(body, signed([older, secret]))).toBe(204);
      expect(await post(body, signed([other]))).toBe(400);
      expect(await post(`${body} `, signed([secret]))).toBe(400);
      expect(await post(body, signed([secret], seconds() - 3600))).toBe(400);
      expect(await post(body, {})).toBe(400);
      const line = 'evt_01JG artwork.succeeded art_01JG';
      await eventually(() => expect(output.trim().split(/\r?\n/)).toEqual([line, line]));
    } finally {
      await end(child);
      port.release();
    }
  },
  240_000,
);

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
