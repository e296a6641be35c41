/** The roles of Atelier's databases, as in production: one migrates, the other runs the service. */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { runSqlFile } from '../local/psql.ts';

/** The passwords of the roles, which all databases of a server share. */
export interface Roles {
  owner: string;
  service: string;
}

const file = fileURLToPath(new URL('../../deploy/postgres/atelier-roles.sql', import.meta.url));

export const newRoles = (): Roles => ({ owner: newPassword(), service: newPassword() });

const newPassword = () => randomBytes(16).toString('hex');

/**
 * Prepares a database for the roles, which it creates if they do not exist.
 * @param databaseUrl the address of PostgreSQL itself, as the owner of the database, which may create roles
 */
export async function prepareRoles(databaseUrl: string, { owner, service }: Roles): Promise<void> {
  await runSqlFile(databaseUrl, file, { OWNER_PASSWORD: owner, SERVICE_PASSWORD: service });
}

/** Returns the address of a database for the role that migrates. */
export const ownerUrl = (databaseUrl: string, { owner }: Roles) => withLogin(databaseUrl, 'atelier_owner', owner);

/** Returns the address of a database for the role of APIs, workers and the operator's command. */
export const serviceUrl = (databaseUrl: string, { service }: Roles) =>
  withLogin(databaseUrl, 'atelier_service', service);

function withLogin(databaseUrl: string, username: string, password: string): string {
  const url = new URL(databaseUrl);
  Object.assign(url, { username, password });
  return url.href;
}
