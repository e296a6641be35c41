/** Turns the URL of a PostgreSQL database into the options of a connection. */
import type { ConnectionOptions } from 'node:tls';
import { readTls, tlsParameters } from './postgres-tls.ts';
import { StartupError } from './startup-error.ts';

/** Options of `pg`. Empty values and port 0 stand for the defaults of `pg`. */
export interface PostgresOptions {
  /** A host name, an address, or the folder of a Unix socket; never empty. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** Never undefined: `pg` would then read the environment itself. */
  ssl: false | ConnectionOptions;
}

/**
 * Stands for a missing password. Without one, `pg` would read a file in the home folder, and would leave open a
 * connection on which the server demands a password.
 */
export const noPassword = ' ';

const supported = [...Object.keys(tlsParameters), 'host'];
/** Parameters without effect: every connection has a name and timeouts of the service. */
const withoutEffect = ['application_name', 'connect_timeout'];
/** Advice for parameters that managed services and other clients put into URLs. */
const advice: Readonly<Record<string, string>> = {
  channel_binding: 'remove it, and use sslmode=verify-full, which protects from the same attacks',
  options: 'remove it, and set its settings for the user in the database (alter role … set …)',
  pgbouncer: 'remove it, and name PostgreSQL itself in ATELIER_DATABASE_DIRECT_URL',
  target_session_attrs: 'remove it, and name an address that always leads to the primary',
};

const example = 'postgresql://user:password@host:5432/database';

/**
 * @param variable names the variable in an error
 * @throws StartupError that does not repeat the URL, because it may contain a password
 */
export function postgresOptions(text: string, variable = 'DATABASE_URL'): PostgresOptions {
  const url = parsePostgresUrl(text, variable);
  const host = url.searchParams.get('host') || decoded(url.hostname.replace(/^\[(.+)\]$/, '$1'), variable);
  if (host.includes(',')) throw severalHosts(variable);
  if (host === '') {
    throw new StartupError(
      `${variable} names no host: write ${example}, or add ?host=/folder for the folder of a Unix socket.`,
    );
  }
  return {
    host,
    port: Number(url.port),
    user: decoded(url.username, variable),
    password: decoded(url.password, variable) || noPassword,
    database: decoded(url.pathname.slice(1), variable),
    // As in libpq, a Unix socket needs no TLS.
    ssl: readTls(url.searchParams, variable, host),
  };
}

/** Checks only the form and the names of the parameters. The errors are those of `postgresOptions`. */
export function parsePostgresUrl(text: string, variable: string): URL {
  if (/^postgres(ql)?:\/\/([^/?]*@)?[^/?@,]*,[^/?@]*([/?]|$)/.test(text)) throw severalHosts(variable);
  const url = URL.parse(text);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2) {
    throw new StartupError(`${variable} must be an address such as ${example}.`);
  }
  for (const name of url.searchParams.keys()) checkParameter(name, variable);
  return url;
}

const severalHosts = (variable: string) =>
  new StartupError(
    `${variable} names several hosts: name one address that always leads to the primary, such as that of a pooler.`,
  );

function checkParameter(name: string, variable: string): void {
  if (supported.includes(name) || withoutEffect.includes(name)) return;
  // Anything else may be a part of a password that was not escaped.
  const named = /^[a-z_]{1,32}$/i.test(name) ? `the parameter ${name}` : 'a parameter';
  const remedy = advice[name] ?? `use only ${supported.join(', ')} (${withoutEffect.join(' and ')} have no effect)`;
  throw new StartupError(`${variable} has ${named}, which is not supported: ${remedy}.`);
}

function decoded(text: string, variable: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StartupError(`${variable} contains a % that does not begin an escaped character: write it as %25.`);
  }
}
