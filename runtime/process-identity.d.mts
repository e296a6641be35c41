/** Types of process-identity.mjs, which is plain JavaScript because Node 20 runs it too. */
export function startTimeOf(pid: number): string | null;
export function commandOf(pid: number): string | null;
