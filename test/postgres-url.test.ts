/** The URL of a database and the variables of libpq become the options of a connection, or one sentence. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readConfig } from '../runtime/config.ts';
import { postgresOptions } from '../runtime/postgres-url.ts';
import { StartupError } from '../runtime/startup-error.ts';
import { createAuthority } from '../scripts/local/certificate.ts';
import { secret } from './support/database.ts';
import { writtenFile } from './support/written-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'postgres-url-'));
afterAll(() => rmSync(folder, { recursive: true }));

const authority = createAuthority('ours');
const client = authority.issue(['client']);
const ca = writtenFile(folder, 'ca.pem', authority.cert);
const cert = writtenFile(folder, 'client.pem', client.cert);
const key = writtenFile(folder, 'client.key', client.key);
const otherKey = writtenFile(folder, 'other.key', authority.key);
const noPem = writtenFile(folder, 'no.pem', 'the secret content');

const url = (parameters = '') => `postgresql://me:p%40ss@db.test:6000/art%20works${parameters}`;
const ssl = (parameters: string) => postgresOptions(url(parameters)).ssl;

test('decodes the parts of the URL', () => {
  const login = { host: 'db.test', port: 6000, user: 'me', password: 'p@ss', database: 'art works' };
  expect(postgresOptions(url())).toEqual({ ...login, ssl: false });
  expect(postgresOptions('postgres://[::1]/a')).toMatchObject({ host: '::1', port: 0, user: '' });
  expect(postgresOptions('postgresql:///a?host=/run/postgresql&sslmode=verify-full')).toMatchObject({
    host: '/run/postgresql',
    ssl: false,
  });
});

test('parameters that name the connection or limit its start have no effect', () => {
  expect(postgresOptions(url('?application_name=mine&connect_timeout=10'))).toEqual(postgresOptions(url()));
});

test('a certificate file is read once, so that a later connection does not read a file that is being replaced', () => {
  const replaced = writtenFile(folder, 'replaced.pem', authority.cert);
  const before = ssl(`?sslrootcert=${replaced}`);
  writtenFile(folder, 'replaced.pem', '-----BEGIN');
  expect(ssl(`?sslrootcert=${replaced}`)).toEqual(before);
});

const host = 'db.test';
const noNames = { checkServerIdentity: expect.any(Function) };
test.each([
  ['', false as const],
  ['?sslmode=disable', false as const],
  ['?sslmode=require', { rejectUnauthorized: false }],
  [`?sslmode=require&sslrootcert=${ca}`, { ca: authority.cert, ...noNames }],
  [`?sslmode=verify-ca&sslrootcert=${ca}`, { ca: authority.cert, ...noNames }],
  ['?sslmode=verify-full', {}],
  [`?sslmode=verify-full&sslrootcert=${ca}`, { ca: authority.cert }],
  [`?sslrootcert=${ca}`, { ca: authority.cert }],
  [`?sslmode=verify-full&sslcert=${cert}&sslkey=${key}`, client],
])('gives %p the meaning of libpq', (parameters, expected) => {
  expect(ssl(parameters)).toEqual(expected && { host, ...expected });
});

test('sslrootcert=system trusts the authorities of the machine', () => {
  expect(ssl('?sslmode=verify-full&sslrootcert=system')).toEqual({ host, ca: expect.any(Array) });
});

const database = (env: NodeJS.ProcessEnv) =>
  readConfig({ ATELIER_SECRET: secret, DATABASE_URL: url(), ...env }).database;

test('reads what the URL does not say from the variables of libpq', () => {
  const variables = { PGSSLMODE: 'verify-full', PGSSLROOTCERT: ca, PGSSLCERT: cert, PGSSLKEY: key };
  const { url: complete, directUrl, isPooled } = database(variables);
  expect(postgresOptions(complete).ssl).toEqual({ host, ca: authority.cert, ...client });
  expect([directUrl, isPooled]).toEqual([complete, false]);
  const own = database({ ...variables, DATABASE_URL: url('?sslmode=disable') });
  expect(postgresOptions(own.url).ssl).toBe(false);
});

test('reads a missing password from PGPASSWORD', () => {
  const env = { DATABASE_URL: 'postgresql://me@db.test/a', PGPASSWORD: 'p@ss%' };
  expect(postgresOptions(database(env).url).password).toBe('p@ss%');
  expect(postgresOptions(database({ ...env, DATABASE_URL: url() }).url).password).toBe('p@ss');
});

test('the variables apply to the direct address as well', () => {
  const direct = 'postgresql://me@direct.test/a';
  const {
    url: pooler,
    directUrl,
    isPooled,
  } = database({
    ATELIER_DATABASE_DIRECT_URL: direct,
    PGSSLMODE: 'verify-full',
  });
  expect([pooler, directUrl, isPooled]).toEqual([url('?sslmode=verify-full'), `${direct}?sslmode=verify-full`, true]);
});

test.each([
  [
    { DATABASE_URL: url('?sslmode=prefer') },
    'sslmode (in DATABASE_URL or PGSSLMODE) is prefer, which would continue without TLS when the server offers none: use verify-full or disable.',
  ],
  [{ PGSSLMODE: 'yes' }, 'sslmode (in DATABASE_URL or PGSSLMODE) must be disable, require, verify-ca or verify-full.'],
  [
    { DATABASE_URL: url('?sslmode=verify-ca') },
    'sslmode (in DATABASE_URL or PGSSLMODE) is verify-ca, which requires an authority of your own: set sslrootcert, or use verify-full.',
  ],
  [
    { DATABASE_URL: url('?sslmode=require&sslrootcert=system') },
    'sslrootcert (in DATABASE_URL or PGSSLROOTCERT) is system, which requires sslmode=verify-full.',
  ],
  [
    { PGSSLMODE: 'verify-full', PGSSLROOTCERT: '/none.pem' },
    'sslrootcert (in DATABASE_URL or PGSSLROOTCERT) names /none.pem, which does not exist.',
  ],
  [
    { PGSSLROOTCERT: noPem },
    'sslrootcert (in DATABASE_URL or PGSSLROOTCERT) must contain a certificate in PEM format.',
  ],
  [{ PGSSLCERT: cert }, 'sslcert (in DATABASE_URL or PGSSLCERT) is set, but sslkey is not: set both, or neither.'],
  [
    { PGSSLCERT: cert, PGSSLKEY: otherKey },
    'sslkey (in DATABASE_URL or PGSSLKEY) is not the private key of the certificate in sslcert.',
  ],
  [
    { DATABASE_URL: 'postgresql://me:secret@one,two:5433/a?target_session_attrs=read-write' },
    'DATABASE_URL names several hosts: name one address that always leads to the primary, such as that of a pooler.',
  ],
  [
    { DATABASE_URL: url('?sslmod=require') },
    'DATABASE_URL has the parameter sslmod, which is not supported: use only sslmode, sslrootcert, sslcert, sslkey, host (application_name and connect_timeout have no effect).',
  ],
  [
    { ATELIER_DATABASE_DIRECT_URL: 'postgresql://me@direct.test/a?options=-c%20jit%3Doff' },
    'ATELIER_DATABASE_DIRECT_URL has the parameter options, which is not supported: remove it, and set its settings for the user in the database (alter role … set …).',
  ],
  [
    { DATABASE_URL: url('?pgbouncer=true') },
    'DATABASE_URL has the parameter pgbouncer, which is not supported: remove it, and name PostgreSQL itself in ATELIER_DATABASE_DIRECT_URL.',
  ],
  [
    { DATABASE_URL: url('?sslmode=require&channel_binding=require') },
    'DATABASE_URL has the parameter channel_binding, which is not supported: remove it, and use sslmode=verify-full, which protects from the same attacks.',
  ],
  [
    { DATABASE_URL: 'postgresql://me:12/ab?secret@host/a' },
    'DATABASE_URL has a parameter, which is not supported: use only sslmode, sslrootcert, sslcert, sslkey, host (application_name and connect_timeout have no effect).',
  ],
  [
    { DATABASE_URL: 'postgresql:///a' },
    'DATABASE_URL names no host: write postgresql://user:password@host:5432/database, or add ?host=/folder for the folder of a Unix socket.',
  ],
  [
    { DATABASE_URL: 'postgresql:///a?host=one,two' },
    'DATABASE_URL names several hosts: name one address that always leads to the primary, such as that of a pooler.',
  ],
  [
    { DATABASE_URL: 'postgresql://me:100%@host/a' },
    'DATABASE_URL contains a % that does not begin an escaped character: write it as %25.',
  ],
  [
    { ATELIER_DATABASE_DIRECT_URL: 'direct.test' },
    'ATELIER_DATABASE_DIRECT_URL must be an address such as postgresql://user:password@host:5432/database.',
  ],
  [
    { ATELIER_DATABASE_DIRECT_URL: url() },
    'ATELIER_DATABASE_DIRECT_URL is the address in DATABASE_URL: name PostgreSQL itself, or unset it.',
  ],
])('explains what is wrong with %p', (env, message) => {
  expect(() => database(env)).toThrow(new StartupError(message));
});
