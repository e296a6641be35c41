/** Writes the certificates with which the processes of a cluster and its Temporal server authenticate each other. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority } from '../local/certificate.ts';
import type { FrontendCertificates } from '../temporal-server/configuration.ts';

/** The name in the server's certificate, which differs from its address. */
const serverName = 'temporal.cluster';
/** Days. Each start writes new certificates. */
const validity = 30;

export interface Certificates {
  frontend: FrontendCertificates;
  /** The variables with which a client of the Temporal server uses its certificate. */
  clientEnv: Readonly<Record<string, string>>;
}

export function writeCertificates(folder: string): Certificates {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const write = (name: string, pem: string) => {
    const file = join(folder, name);
    writeFileSync(file, pem, { mode: 0o600 });
    return file;
  };
  const authority = createAuthority('cluster', validity);
  const [server, client] = [authority.issue([serverName]), authority.issue(['atelier'])];
  const authorityFile = write('authority.pem', authority.cert);
  return {
    frontend: {
      cert: write('frontend.pem', server.cert),
      key: write('frontend.key', server.key),
      clientAuthority: authorityFile,
    },
    clientEnv: {
      TEMPORAL_TLS_CLIENT_CERT_PATH: write('client.pem', client.cert),
      TEMPORAL_TLS_CLIENT_KEY_PATH: write('client.key', client.key),
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: authorityFile,
      TEMPORAL_TLS_SERVER_NAME: serverName,
    },
  };
}
