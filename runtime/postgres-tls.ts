/** Reads how a connection to PostgreSQL uses TLS, as libpq's `sslmode` describes it. */
import { type ConnectionOptions, getCACertificates } from 'node:tls';
import { certificate, parsePem, privateKey, readNamedFile } from './pem-file.ts';
import { StartupError } from './startup-error.ts';

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
 * @param parameters those of the URL, including the values of the variables
 * @param variable names the variable of the URL in an error
 * @throws StartupError
 */
export function readTls(parameters: URLSearchParams, variable: string, host: string): false | ConnectionOptions {
  const label = (name: Parameter) => `${name} (in ${variable} or ${tlsParameters[name]})`;
  const file = (name: Parameter) => {
    const path = parameters.get(name);
    return path ? readOnce(label(name), path) : undefined;
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

/** The files that this process has read. */
const files = new Map<string, Buffer>();

/** Returns the same content for later connections, so that a file that is being replaced cannot break them. */
function readOnce(label: string, path: string): Buffer {
  const content = files.get(path) ?? readNamedFile(label, path);
  files.set(path, content);
  return content;
}
