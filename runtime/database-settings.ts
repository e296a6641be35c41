/** Reads the addresses of PostgreSQL, and checks them. */
import { tlsParameters } from './postgres-tls.ts';
import { parsePostgresUrl, postgresOptions } from './postgres-url.ts';
import { StartupError } from './startup-error.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Complete URLs: the parameters about TLS and the password that came from variables are part of them. */
export interface DatabaseSettings {
  url: string;
  /** Address for LISTEN and migrations: PostgreSQL itself. Equal to `url` unless that is a pooler. */
  directUrl: string;
  /** Whether `url` leads to a pooler, which gives each transaction another connection to PostgreSQL. */
  isPooled: boolean;
}

export const directVariable = 'ATELIER_DATABASE_DIRECT_URL';

/** @throws StartupError that names the variable to change */
export function readDatabase(url: string, directUrl: string, env: Env): DatabaseSettings {
  const complete = withVariables('DATABASE_URL', url, env);
  if (directUrl === '') return { url: complete, directUrl: complete, isPooled: false };
  const direct = withVariables(directVariable, directUrl, env);
  const [pooler, server] = [postgresOptions(complete), postgresOptions(direct, directVariable)];
  // A pooler may have another database name for sessions.
  if ((['host', 'port', 'database'] as const).every((part) => pooler[part] === server[part])) {
    throw new StartupError(`${directVariable} is the address in DATABASE_URL: name PostgreSQL itself, or unset it.`);
  }
  return { url: complete, directUrl: direct, isPooled: true };
}

/** Adds what the variables of libpq hold and the URL does not. */
function withVariables(variable: string, text: string, env: Env): string {
  const url = parsePostgresUrl(text, variable);
  let isChanged = false;
  for (const [parameter, name] of Object.entries(tlsParameters)) {
    const value = env[name];
    if (!value || url.searchParams.get(parameter)) continue;
    url.searchParams.set(parameter, value);
    isChanged = true;
  }
  const password = env['PGPASSWORD'];
  // A URL without a host cannot have a password.
  if (password && url.password === '' && url.hostname !== '') {
    url.password = encodeURIComponent(password);
    isChanged = true;
  }
  const complete = isChanged ? url.href : text;
  postgresOptions(complete, variable);
  return complete;
}
