/** Checks the id of a provider's job, because the id becomes part of addresses and of heartbeat details. */

export const isJobId = (id: unknown): id is string => typeof id === 'string' && /^\w[\w-]{0,199}$/.test(id);
