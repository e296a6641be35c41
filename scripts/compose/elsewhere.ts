/** Starts PostgreSQL, Temporal and an S3 store outside Docker, which stand for services elsewhere: containers reach them over TLS, by name. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Backend, startStore, startTemporal } from '../cluster/backends.ts';
import { createAuthority, type KeyPair } from '../local/certificate.ts';
import type { Running } from '../local/child.ts';
import { claimPort } from '../local/ports.ts';
import { startPostgres } from '../local/postgres.ts';
import { forward, type Forwarder } from './forward.ts';

export interface Elsewhere {
  /** The variables of `.env` on each machine. */
  env: Readonly<Record<string, string>>;
  /** The content of the files in `settings` on each machine, by name. */
  files: Readonly<Record<string, string>>;
  /** The URLs of the database for the superuser and for the owner of the tables, as containers use them. */
  superuserUrl: string;
  ownerUrl: string;
  /** The variables for the script that creates the roles. */
  rolePasswords: Readonly<Record<'OWNER_PASSWORD' | 'SERVICE_PASSWORD', string>>;
  /** The database without TLS, for this process. */
  databaseUrl: string;
  /** The names of the services. */
  names: readonly string[];
  /** The authority of their certificates. */
  authority: string;
  stop(): Promise<void>;
}

const names = { postgres: 'postgres.elsewhere.test', temporal: 'temporal.elsewhere.test', s3: 's3.elsewhere.test' };
const authorityFile = 'authority.pem';

/** @param folder an empty folder @param address an address of this machine that containers reach */
export async function startElsewhere(folder: string, address: string): Promise<Elsewhere> {
  const running: { stop(): unknown }[] = [];
  const stop = async () => {
    for (const one of running.reverse()) await one.stop();
  };
  try {
    const authority = createAuthority('elsewhere');
    const logFile = (name: string) => join(folder, `${name}.log`);
    const port = (await claimPort(0)).port;
    const certificate = authority.issue([names.postgres]);
    const postgres = await startPostgres({
      ...{ dataDir: join(folder, 'postgres'), port, logFile: logFile('postgres'), tls: certificate },
      settings: { max_connections: '500' },
    });
    running.push(postgres);
    // Only the superuser may connect without TLS.
    const superuserUrl = postgres.url.replace('//atelier:', '//postgres:');
    const startBackend = async <R extends Running>({ start }: Backend<R>) => {
      const backend = await start(new AbortController().signal, () => undefined);
      running.push(backend);
      return backend;
    };
    const options = { file: (...path: string[]) => join(folder, ...path), logFile, startBackend };
    const [temporal, s3] = await Promise.all([startTemporal(options, superuserUrl), startStore(options)]);
    const expose = async (target: string, tls?: KeyPair): Promise<Forwarder> => {
      const forwarder = await forward(address, Number(target), tls);
      running.push({ stop: () => forwarder.close() });
      return forwarder;
    };
    const ports = {
      postgres: (await expose(String(port))).port,
      temporal: (await expose(temporal.address.split(':')[1] ?? '')).port,
      s3: (await expose(new URL(s3.endpoint).port, authority.issue([names.s3]))).port,
    };
    const rolePasswords = { OWNER_PASSWORD: randomHex(), SERVICE_PASSWORD: randomHex() };
    const url = (user: string, password: string) =>
      `postgresql://${user}:${password}@${names.postgres}:${ports.postgres}/atelier`;
    const temporalFiles: [string, string][] = [];
    const certificates = Object.entries(temporal.env).filter(([name]) => name.endsWith('_PATH'));
    const temporalFile = (path: string) => `temporal-${basename(path)}`;
    for (const [, path] of certificates) temporalFiles.push([temporalFile(path), await readFile(path, 'utf8')]);
    return {
      env: {
        DATABASE_URL: url('atelier_service', rolePasswords.SERVICE_PASSWORD),
        PGSSLMODE: 'verify-full',
        PGSSLROOTCERT: `/settings/${authorityFile}`,
        ...temporal.env,
        ...Object.fromEntries(certificates.map(([name, path]) => [name, `/settings/${temporalFile(path)}`])),
        TEMPORAL_ADDRESS: `${names.temporal}:${ports.temporal}`,
        ...s3.env,
        AWS_ENDPOINT_URL_S3: `https://${names.s3}:${ports.s3}`,
        EXTRA_CA_CERTS: `/settings/${authorityFile}`,
      },
      files: {
        [authorityFile]: authority.cert,
        ...Object.fromEntries(temporalFiles),
      },
      superuserUrl: url('postgres', new URL(postgres.url).password),
      ownerUrl: url('atelier_owner', rolePasswords.OWNER_PASSWORD),
      ...{ rolePasswords, databaseUrl: superuserUrl, names: Object.values(names), authority: authority.cert, stop },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const randomHex = () => randomBytes(16).toString('hex');
