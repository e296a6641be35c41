/** Turns the URL of a PostgreSQL database into the options of a connection, with TLS as libpq's `sslmode` describes it. */
import { type ConnectionOptions, getCACertificates } from 'node:tls';
import { certificate, parsePem, privateKey, readNamedFile } from './pem-file.ts';
import { StartupError } from './startup-error.ts';

/** Options of `pg`. Empty values and port 0 stand for the defaults of `pg`. */
export interface PostgresOptions {
  /** A host name, an address, or the folder of a Unix socket. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** Never undefined: `pg` would then read the environment itself. */
  ssl: false | ConnectionOptions;
}

/** The parameters of the URL that concern TLS, and the variables that hold their defaults. */
export const tlsParameters = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
} as const;

type Parameter = keyof typeof tlsParameters;

const modes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof modes)[number];

/**
 * @param variable names the variable in an error
 * @throws StartupError that does not repeat the URL, because it may contain a password
 */
export function postgresOptions(text: string, variable = 'DATABASE_URL'): PostgresOptions {
  const url = parsePostgresUrl(text, variable);
  const host = url.searchParams.get('host') ?? decoded(url.hostname.replace(/^\[(.+)\]$/, '$1'), variable);
  return {
    host,
    port: Number(url.port),
    user: decoded(url.username, variable),
    password: decoded(url.password, variable),
    database: decoded(url.pathname.slice(1), variable),
    // As in libpq, a Unix socket needs no TLS.
    ssl: readTls(url.searchParams, variable, host),
  };
}

/** Checks only the address. The errors are those of `postgresOptions`. */
export function parsePostgresUrl(text: string, variable: string): URL {
  if (/^postgres(ql)?:\/\/([^/?]*@)?[^/?@]*,[^/?@]*([/?]|$)/.test(text)) {
    throw new StartupError(
      `${variable} names several hosts: name one address that always leads to the primary, such as that of a pooler.`,
    );
  }
  const url = URL.parse(text);
  if (url && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1) return url;
  throw new StartupError(`${variable} must be an address such as postgresql://user:password@host:5432/database.`);
}

function decoded(text: string, variable: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StartupError(`${variable} contains a % that does not begin an escaped character: write it as %25.`);
  }
}

function readTls(parameters: URLSearchParams, variable: string, host: string): PostgresOptions['ssl'] {
  const label = (name: Parameter) => `${name} (in ${variable} or ${tlsParameters[name]})`;
  const file = (name: Parameter) => {
    const path = parameters.get(name);
    return path ? readNamedFile(label(name), path) : undefined;
  };
  const mode = readMode(parameters, label('sslmode'));
  if (mode === 'disable' || host.startsWith('/')) return false;
  const system = parameters.get('sslrootcert') === 'system';
  if (system && mode !== 'verify-full') {
    throw new StartupError(`${label('sslrootcert')} is system, which requires sslmode=verify-full.`);
  }
  const root = system ? undefined : file('sslrootcert');
  if (root) parsePem(label('sslrootcert'), root, certificate);
  if (mode === 'verify-ca' && !root) {
    throw new StartupError(
      `${label('sslmode')} is verify-ca, which requires an authority of your own: set sslrootcert, or use verify-full.`,
    );
  }
  return {
    // Before 8.23.1, `pg` compares the certificate of an IP address with the name localhost.
    host,
    ...(root && { ca: root.toString() }),
    ...(system && { ca: [...getCACertificates('default'), ...getCACertificates('system')] }),
    ...clientCertificate(file('sslcert'), file('sslkey'), label),
    ...(mode === 'require' && !root && { rejectUnauthorized: false }),
    // With an authority, libpq's `require` means `verify-ca`.
    ...((mode === 'verify-ca' || (mode === 'require' && root)) && { checkServerIdentity: () => undefined }),
  };
}

/** Without a mode, any other parameter about TLS means `verify-full`, and none means `disable`. */
function readMode(parameters: URLSearchParams, label: string): Mode {
  const given = parameters.get('sslmode');
  if (!given) return parameters.get('sslrootcert') || parameters.get('sslcert') ? 'verify-full' : 'disable';
  const mode = modes.find((one) => one === given);
  if (mode) return mode;
  if (given === 'prefer' || given === 'allow') {
    throw new StartupError(
      `${label} is ${given}, which would continue without TLS when the server offers none: use verify-full or disable.`,
    );
  }
  throw new StartupError(`${label} must be disable, require, verify-ca or verify-full.`);
}

function clientCertificate(
  cert: Buffer | undefined,
  key: Buffer | undefined,
  label: (name: Parameter) => string,
): ConnectionOptions {
  if (!cert && !key) return {};
  if (!cert || !key) {
    const [one, other] = cert ? (['sslcert', 'sslkey'] as const) : (['sslkey', 'sslcert'] as const);
    throw new StartupError(`${label(one)} is set, but ${other} is not: set both, or neither.`);
  }
  const { parsed } = parsePem(label('sslcert'), cert, certificate);
  if (!parsed.checkPrivateKey(parsePem(label('sslkey'), key, privateKey).parsed)) {
    throw new StartupError(`${label('sslkey')} is not the private key of the certificate in sslcert.`);
  }
  return { cert: cert.toString(), key: key.toString() };
}
