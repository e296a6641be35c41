/** What may be the id of a provider's job: it becomes a part of addresses, and of a heartbeat. */

export const isJobId = (id: unknown): id is string => typeof id === 'string' && /^\w[\w-]{0,199}$/.test(id);
