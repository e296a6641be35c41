/** The services that we offer to an engine that calls a provider: a slot, the stored job, and a guarded download. */

export interface Remote {
  /**
   * Waits until the provider has a free slot. Call it directly before a submission; a stored job already has its slot.
   * @throws EngineError `provider_unavailable` when the provider is paused or the deadline has passed
   */
  acquireSlot(): Promise<void>;
  /** The job that an earlier attempt of this call submitted. */
  readonly job: RemoteJob | null;
  /** Stores a job's id before the engine waits for the job, so that the next attempt continues with the same job. */
  saveJob(id: string): Promise<RemoteJob>;
  /** Removes the stored job after the provider has lost or canceled it. */
  forgetJob(): Promise<void>;
  /** Milliseconds that the call may take. */
  readonly timeout: number;
  /** Downloads a file that the provider's output links to. Addresses are checked like all addresses from outside. */
  download(url: string, limit: number, signal: AbortSignal): Promise<{ bytes: Uint8Array } | { error: string }>;
  /** Epoch milliseconds. */
  now(): number;
}

export interface RemoteJob {
  /** The provider's id for the job. */
  id: string;
  /** Epoch milliseconds. */
  submittedAt: number;
  /** Number of jobs submitted for this call, including this one. */
  submissions: number;
}
