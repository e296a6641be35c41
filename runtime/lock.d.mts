/** Types of lock.mjs, which is plain JavaScript because Node 20 runs it too. */
export type Lock = { held: true; release: () => void } | { held: false; pid: number };
export function tryLock(folder: string): Lock;
export function lockWhenFree(folder: string, onWait: (pid: number) => void, signal?: AbortSignal): Promise<() => void>;
