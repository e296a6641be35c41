/** Rejects the id of an organization that does not exist. */
import { findOrganization } from '../store/organizations.ts';
import type { Context } from './context.ts';

/** Rejects an unknown organization. @throws Error that names the command which lists organizations */
export async function requireOrganization({ db }: Context, orgId: string): Promise<void> {
  if (!(await findOrganization(db, orgId)))
    throw new Error(`There is no organization ${orgId}. Run "operator organizations list" to see all ids.`);
}
