/** Explains why a connection to PostgreSQL failed, and names the variable to check. */
import { type DatabaseSettings, directVariable } from './database-settings.ts';
import { codeOf } from './error-code.ts';
import { noPassword, type PostgresOptions, postgresOptions } from './postgres-url.ts';
import { StartupError } from './startup-error.ts';

export interface DatabaseFailure {
  /** All but `unreachable` pass only with a change of the configuration, here or on the server. */
  kind: 'tls' | 'access' | 'pooler' | 'unreachable';
  /** Sentences for the operator, without secrets. */
  message: string;
}

interface Target {
  options: PostgresOptions;
  /** The variable that holds the address. */
  variable: string;
}

type Explain = (target: Target, match: RegExpExecArray) => string;

/** Errors in the words of Node, OpenSSL, `pg`, PostgreSQL and PgBouncer, after their code. The first match applies. */
const failures: [DatabaseFailure['kind'], RegExp, Explain][] = [
  [
    'tls',
    /ERR_TLS_CERT_ALTNAME_INVALID(?:.*altnames: (.*))?/,
    ({ options, variable }, [, names]) =>
      `has a certificate that is not valid for ${options.host}: use a name of the certificate` +
      `${names ? ` (${names})` : ''} in ${variable}.`,
  ],
  ['tls', /CERT_HAS_EXPIRED/, () => 'has a certificate that has expired: renew it on the server.'],
  [
    'tls',
    /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET)|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE/,
    ({ variable }) =>
      `has a certificate of an unknown authority: set sslrootcert in ${variable}, or PGSSLROOTCERT, to the file with the certificate of that authority.`,
  ],
  [
    'tls',
    /does not support SSL connections/,
    ({ variable }) =>
      `offers no TLS, which the sslmode in ${variable} or PGSSLMODE requires: turn on ssl on the server.`,
  ],
  [
    'tls',
    /requires a valid client certificate|alert certificate required/i,
    ({ variable }) =>
      `requires a client certificate: set sslcert and sslkey in ${variable}, or PGSSLCERT and PGSSLKEY.`,
  ],
  [
    'tls',
    /alert (unknown ca|bad certificate|certificate \w+|unsupported certificate|access denied|decrypt error)/i,
    ({ variable }, [, reason]) =>
      `rejected the client certificate (${reason}): the sslcert in ${variable} or PGSSLCERT must be issued by an authority that the server accepts.`,
  ],
  [
    'tls',
    /28000.*no encryption|SSL required/,
    ({ variable }) => `requires TLS: add sslmode=verify-full to ${variable}, or set PGSSLMODE.`,
  ],
  [
    'pooler',
    /unsupported startup parameter/,
    () =>
      'is a pooler such as PgBouncer: set ATELIER_DATABASE_DIRECT_URL to the address of PostgreSQL itself, for LISTEN and migrations.',
  ],
  [
    'access',
    // The second is that of PgBouncer.
    /^28P01|SASL authentication failed/,
    ({ options, variable }) =>
      options.password === noPassword
        ? `demands a password, and ${variable} has none: write postgresql://user:password@….`
        : `rejected the password of the user ${options.user}: check ${variable}.`,
  ],
  [
    'access',
    // PgBouncer has other codes.
    /^3D000|no such database|database ".*" does not exist/,
    ({ options, variable }) =>
      `has no database ${options.database}: create it, or correct the name of the database in ${variable}.`,
  ],
  [
    'access',
    /^42501.*permission denied for database/,
    ({ options, variable }) =>
      `does not let the user ${options.user} connect to the database ${options.database}: grant connect on it, or check ${variable}.`,
  ],
  [
    'access',
    /^42501.*(permission denied for [\w ]+|must be owner of [\w ]+)/,
    ({ options, variable }, [, reason]) =>
      `does not let the user ${options.user} do this (${reason}): name the owner of the tables in ${variable} to migrate; deploy/postgres/atelier-roles.sql creates it.`,
  ],
  ['access', /^28/, ({ options, variable }) => `denied access to the user ${options.user}: check ${variable}.`],
  [
    'unreachable',
    /^25006/,
    ({ variable }) => `is a standby, which accepts no writes: check that ${variable} leads to the primary.`,
  ],
  [
    'unreachable',
    /^53300|no more connections allowed/,
    () =>
      'has no free connection: raise max_connections of PostgreSQL (max_client_conn of PgBouncer), or run fewer processes.',
  ],
  ['unreachable', /ENOTFOUND|EAI_AGAIN/, ({ variable }) => `cannot be found: check the host in ${variable}.`],
  [
    'unreachable',
    /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|timeout|ECONNRESET|EPIPE|Connection terminated|not queryable|^(57P0|08)/,
    ({ variable }) => `does not respond: check ${variable} and the server.`,
  ],
];

/** Returns null for an error that is not about the connection. */
export function explainDatabaseError(error: unknown, url: string, variable = 'DATABASE_URL'): DatabaseFailure | null {
  const options = postgresOptions(url, variable);
  const target = { options, variable };
  const server = `The PostgreSQL server at ${options.host}:${options.port || 5432}`;
  for (const text of descriptions(error)) {
    for (const [kind, pattern, explain] of failures) {
      const match = pattern.exec(text);
      if (match) return { kind, message: `${server} ${explain(target, match)}` };
    }
  }
  return null;
}

/**
 * Throws the error of a direct connection with an explanation, if it has one.
 * @throws StartupError for a failure that no wait can end
 */
export function throwExplained(cause: unknown, { directUrl, isPooled }: DatabaseSettings): never {
  const failure = explainDatabaseError(cause, directUrl, isPooled ? directVariable : 'DATABASE_URL');
  if (failure === null) throw cause;
  const { kind, message } = failure;
  throw kind === 'unreachable' ? new Error(message, { cause }) : new StartupError(message, { cause });
}

/** Returns the code and the message of an error and of its causes. */
function descriptions(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const others = error instanceof AggregateError ? error.errors : [error.cause];
  const code = codeOf(error);
  return [`${typeof code === 'string' ? code : ''} ${error.message}`, ...others.flatMap(descriptions)];
}
