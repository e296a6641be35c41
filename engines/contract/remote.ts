/** The services that we offer to an engine that calls a provider: a slot, the stored job, a guarded download and decoder. */
import type { ResultConversion } from '../../images/conversions.ts';
import type { ConversionResult } from '../../images/decoder.ts';
import type { SubmittedModel } from '../../schemas/submitted-model.ts';

export interface Remote {
  /**
   * Waits until the provider has a free slot, and counts the submission. Call it directly before a submission; a stored
   * job already has its slot.
   * @throws EngineError `provider_unavailable` when the provider is paused, the deadline has passed, or another attempt
   * has submitted the call
   */
  acquireSlot(): Promise<void>;
  /**
   * Confirms that no other attempt has taken over the call, for example while this process was frozen. Call it directly
   * before a request that costs money, when anything has happened since `acquireSlot`.
   * @throws EngineError `provider_unavailable` when another attempt has taken over
   */
  confirm(): Promise<void>;
  /**
   * Aborts a submission. Aborts later than the signal of the call, or not at all, because a submission that is cut off
   * may have been accepted.
   */
  readonly submitSignal: AbortSignal;
  /** The job that an earlier attempt of this call submitted. */
  readonly job: RemoteJob | null;
  /**
   * Stores a job before the engine waits for it, so that the next attempt continues with the same job.
   * @returns null when another attempt has submitted the call since, or the artwork has ended: the job is then discarded
   */
  saveJob(job: SubmittedJob): Promise<RemoteJob | null>;
  /** Marks the stored job as ended, because the provider has lost or canceled it. */
  forgetJob(): Promise<void>;
  /** Marks the stored job as ended. Workers then repeat its cancellation until the provider confirms it. */
  discardJob(): Promise<void>;
  /** Milliseconds that the call may take. */
  readonly timeout: number;
  /**
   * Downloads a file that the provider's output links to. Addresses are checked like all addresses from outside, and the
   * file against the type and the size that its server declares.
   */
  download(url: string, limit: number, signal: AbortSignal): Promise<{ bytes: Uint8Array } | { error: string }>;
  /** Checks an image of the provider and converts it, within limits on time and memory. */
  convertImage(file: Uint8Array, conversion: ResultConversion, signal: AbortSignal): Promise<ConversionResult>;
  /** Epoch milliseconds. */
  now(): number;
}

export interface SubmittedJob {
  /** The provider's id for the job. */
  id: string;
  submittedTo: SubmittedModel;
  /** Whether every submission of the call gets the same id. */
  isShared: boolean;
}

export interface RemoteJob {
  /** The provider's id for the job. */
  id: string;
  /** Epoch milliseconds. */
  submittedAt: number;
  /** Null for jobs of earlier releases. */
  submittedTo: SubmittedModel | null;
  /** Submissions of this call to this engine that may have been charged for, including this one. */
  charges: number;
}
