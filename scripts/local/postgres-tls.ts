/** Files and settings with which a local PostgreSQL accepts its user only over TLS. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyPair } from './certificate.ts';
import type { PostgresAccount } from './postgres-account.ts';

/** PEM. */
export interface PostgresTls extends KeyPair {
  /** The authority whose client certificates are accepted and required, besides the password. Default: none. */
  clientAuthority?: string;
}

/** Only the superuser may connect without TLS, because it creates the database before any client has a certificate. */
const accessRules = (clientCertificate: boolean) => `host all postgres 127.0.0.1/32 scram-sha-256
hostssl all all 127.0.0.1/32 scram-sha-256${clientCertificate ? ' clientcert=verify-ca' : ''}
hostssl all all ::1/128 scram-sha-256${clientCertificate ? ' clientcert=verify-ca' : ''}
`;

/** Writes the files to the folder. Returns the settings of the server. */
export function postgresTls(folder: string, tls: PostgresTls, account: PostgresAccount): Record<string, string> {
  const write = (name: string, content: string) => {
    const file = join(folder, name);
    writeFileSync(file, content, { mode: 0o600 });
    account.own(file);
    return file;
  };
  const { cert, key, clientAuthority } = tls;
  return {
    ssl: 'on',
    ssl_cert_file: write('server.pem', cert),
    ssl_key_file: write('server.key', key),
    ...(clientAuthority !== undefined && { ssl_ca_file: write('client-authority.pem', clientAuthority) }),
    hba_file: write('pg_hba.conf', accessRules(clientAuthority !== undefined)),
  };
}
