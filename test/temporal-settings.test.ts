/** The connection to Temporal: Temporal's variables and configuration file, and errors that name the variable to change. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readTemporal } from '../runtime/temporal-settings.ts';
import { createAuthority } from '../scripts/local/certificate.ts';
import { writtenFile } from './support/written-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'temporal-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: string) => writtenFile(folder, name, content);

const authority = createAuthority('authority');
const [client, other, expired] = [
  authority.issue(['client']),
  authority.issue(['other']),
  authority.issue(['old'], -1),
];
const ca = write('ca.pem', authority.cert);
const [cert, key] = [write('client.pem', client.cert), write('client.key', client.key)];
const otherKey = write('other.key', other.key);
const [expiredCert, expiredKey] = [write('expired.pem', expired.cert), write('expired.key', expired.key)];
const mutual = { TEMPORAL_TLS_CLIENT_CERT_PATH: cert, TEMPORAL_TLS_CLIENT_KEY_PATH: key };
const missing = join(folder, 'missing');
const apiKey = 'tmprl-secret-key';

test('uses an unencrypted local server by default, also where variables are empty', () => {
  const connection = { address: '127.0.0.1:7233', namespace: 'default', tls: false };
  expect(readTemporal({})).toEqual(connection);
  const empty = { TEMPORAL_ADDRESS: '', TEMPORAL_API_KEY: '', TEMPORAL_TLS: '', TEMPORAL_TLS_CLIENT_CERT_PATH: '' };
  expect(readTemporal(empty)).toEqual(connection);
});

test('reads certificates, the name and the authority of the server', () => {
  const variables = { ...mutual, TEMPORAL_TLS_SERVER_CA_CERT_PATH: ca, TEMPORAL_TLS_SERVER_NAME: 'temporal.test' };
  expect(readTemporal({ ...variables, TEMPORAL_NAMESPACE: 'atelier' })).toMatchObject({
    namespace: 'atelier',
    tls: {
      serverNameOverride: 'temporal.test',
      serverRootCACertificate: Buffer.from(authority.cert),
      clientCertPair: { crt: Buffer.from(client.cert), key: Buffer.from(client.key) },
    },
  });
});

test('reads certificates from variables that hold their content', () => {
  const data = { TEMPORAL_TLS_CLIENT_CERT_DATA: client.cert, TEMPORAL_TLS_CLIENT_KEY_DATA: client.key };
  expect(readTemporal(data).tls).toMatchObject({ clientCertPair: { crt: Buffer.from(client.cert) } });
});

test('an API key turns TLS on, unless TEMPORAL_TLS is false', () => {
  expect(readTemporal({ TEMPORAL_API_KEY: `${apiKey}\n` })).toMatchObject({ apiKey, tls: {} });
  expect(readTemporal({ TEMPORAL_TLS: 'true' }).tls).toEqual({});
  expect(readTemporal({ TEMPORAL_API_KEY: apiKey, TEMPORAL_TLS: 'false' }).tls).toBe(false);
});

test('reads a profile of a configuration file, over which variables take precedence', () => {
  const file = write(
    'temporal.toml',
    `[profile.default]\naddress = "default.test:7233"\n[profile.production]\naddress = "production.test:7233"\n` +
      `namespace = "atelier"\n[profile.production.tls]\nclient_cert_path = "${cert}"\nclient_key_path = "${key}"\n`,
  );
  expect(readTemporal({ TEMPORAL_CONFIG_FILE: file }).address).toBe('default.test:7233');
  const variables = { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'production', TEMPORAL_NAMESPACE: 'other' };
  expect(readTemporal(variables)).toMatchObject({
    address: 'production.test:7233',
    namespace: 'other',
    tls: { clientCertPair: { crt: Buffer.from(client.cert) } },
  });
});

test('ignores the configuration file of the user unless a variable requests it', () => {
  const home = mkdtempSync(join(folder, 'home-'));
  expect(readTemporal({ HOME: home, XDG_CONFIG_HOME: home }).address).toBe('127.0.0.1:7233');
  expect(() => readTemporal({ XDG_CONFIG_HOME: home, TEMPORAL_PROFILE: 'production' })).toThrow(
    "TEMPORAL_PROFILE is production, but Temporal's configuration file has no such profile.",
  );
});

test.each<[string, Record<string, string>, string]>([
  ['an address that is a URL', { TEMPORAL_ADDRESS: 'https://a.test' }, 'TEMPORAL_ADDRESS must be host:port'],
  ['TEMPORAL_TLS that is neither', { TEMPORAL_TLS: 'yes' }, 'TEMPORAL_TLS must be true or false, not "yes".'],
  [
    'an API key with a line break',
    { TEMPORAL_API_KEY: `${apiKey}\n${apiKey}` },
    'TEMPORAL_API_KEY contains characters',
  ],
  [
    'a header with a line break',
    { TEMPORAL_GRPC_META_TEAM: `${apiKey}\n` },
    'TEMPORAL_GRPC_META_TEAM is not a valid header.',
  ],
  [
    'a certificate without its key',
    { TEMPORAL_TLS_CLIENT_CERT_PATH: cert },
    'TEMPORAL_TLS_CLIENT_CERT_PATH is set, but TEMPORAL_TLS_CLIENT_KEY_PATH is not. Set both, or neither.',
  ],
  [
    'a key without its certificate',
    { TEMPORAL_TLS_CLIENT_KEY_PATH: key },
    'TEMPORAL_TLS_CLIENT_KEY_PATH is set, but TEMPORAL_TLS_CLIENT_CERT_PATH is not. Set both, or neither.',
  ],
  [
    'a missing certificate',
    { ...mutual, TEMPORAL_TLS_CLIENT_CERT_PATH: missing },
    `TEMPORAL_TLS_CLIENT_CERT_PATH names ${missing}, which does not exist.`,
  ],
  [
    'a folder instead of an authority',
    { TEMPORAL_TLS_SERVER_CA_CERT_PATH: folder },
    `TEMPORAL_TLS_SERVER_CA_CERT_PATH names ${folder}, which this process cannot read (EISDIR).`,
  ],
  [
    'a key instead of a certificate',
    { ...mutual, TEMPORAL_TLS_CLIENT_CERT_PATH: key },
    'TEMPORAL_TLS_CLIENT_CERT_PATH must contain a certificate in PEM format.',
  ],
  [
    'a certificate instead of a key',
    { ...mutual, TEMPORAL_TLS_CLIENT_KEY_PATH: cert },
    'TEMPORAL_TLS_CLIENT_KEY_PATH must contain a private key without passphrase in PEM format.',
  ],
  [
    'the key of another certificate',
    { ...mutual, TEMPORAL_TLS_CLIENT_KEY_PATH: otherKey },
    'TEMPORAL_TLS_CLIENT_KEY_PATH is not the private key of the certificate in TEMPORAL_TLS_CLIENT_CERT_PATH.',
  ],
  [
    'an expired certificate',
    { TEMPORAL_TLS_CLIENT_CERT_PATH: expiredCert, TEMPORAL_TLS_CLIENT_KEY_PATH: expiredKey },
    'The certificate in TEMPORAL_TLS_CLIENT_CERT_PATH expired on ',
  ],
  [
    'a missing configuration file',
    { TEMPORAL_CONFIG_FILE: missing },
    `TEMPORAL_CONFIG_FILE names ${missing}, which does not exist.`,
  ],
  [
    'a configuration file that is not TOML',
    { TEMPORAL_CONFIG_FILE: write('broken.toml', `[profile.default]\napi_key = ${apiKey}\n`) },
    'cannot be used: line 2 is not valid TOML.',
  ],
  [
    'an unknown key in a configuration file',
    { TEMPORAL_CONFIG_FILE: write('typing.toml', '[profile.default]\nhost = "a.test:7233"\n') },
    'key(s) unrecognized in profile.default: host.',
  ],
  [
    'a missing profile',
    { TEMPORAL_CONFIG_FILE: write('default.toml', '[profile.default]\n'), TEMPORAL_PROFILE: 'production' },
    'TEMPORAL_PROFILE is production, but ',
  ],
  [
    'an empty configuration file',
    { TEMPORAL_CONFIG_FILE: write('empty.toml', '') },
    'empty.toml) contains no profile.',
  ],
  [
    'a missing certificate in a profile',
    { TEMPORAL_CONFIG_FILE: write('profile.toml', `[profile.default.tls]\nclient_cert_path = "${missing}"\n`) },
    `TEMPORAL_TLS_CLIENT_CERT_PATH (from the configuration file) names ${missing}, which does not exist.`,
  ],
])('rejects %s, and shows no secret', (_name, variables, message) => {
  const error = errorOf(() => readTemporal(variables));
  expect(error).toContain(message);
  expect(error).not.toContain(apiKey);
  expect(error).not.toContain('\n');
});

function errorOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('It was accepted.');
}
