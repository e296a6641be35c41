/** The common part of the fakes of providers: a server of the wire format that fails on demand and counts requests. */

export type FakeFailure =
  | 'bad-request'
  | 'bad-key'
  | 'forbidden'
  | 'unpaid'
  | 'not-found'
  | 'moderation'
  /** 429 with Retry-After: 1 */
  | 'busy'
  | 'quota'
  /** 500 */
  | 'broken'
  /** 503 */
  | 'unavailable'
  /** 504 */
  | 'gateway-timeout'
  /** 502 with a page */
  | 'html'
  | 'reset'
  /** Half a response. */
  | 'cut'
  /** 200, no JSON. */
  | 'malformed'
  /** 200 text/html */
  | 'wrong-type'
  /** 302 to elsewhere. */
  | 'redirect'
  /** Never responds. */
  | 'silence'
  | 'endless-job'
  | 'lost-job'
  | 'failed-job'
  /** A model finds no face in its image. */
  | 'no-face'
  /** A model finds no object that its prompt names. */
  | 'nothing-found'
  /** A job that fails because the GPU's memory is full. */
  | 'out-of-memory'
  | 'private-link'
  | 'dead-link'
  | 'huge-image'
  | 'not-an-image'
  | 'no-image';

/** A file that a fake returns in place of its images. */
export interface FakeFile {
  bytes: Uint8Array;
  /** Content type, where the protocol declares one. */
  type: string;
}

export interface FakeOptions {
  /** If omitted, requests need no key. */
  apiKey?: string;
  /** Returns the file of the next image; null for a normal image. */
  file?(): FakeFile | null;
}

/** A request as the provider saw it. */
export interface FakeRequest {
  path: string;
  headers: Record<string, string | undefined>;
  body: unknown;
}

export interface UpstreamFake {
  /** The value for `baseUrl`. */
  url: string;
  /** Makes all requests fail, or the next `times` requests; null ends the failure. */
  fail(failure: FakeFailure | null, options?: { times?: number; at?: 'submit' | 'poll' | 'collect' }): void;
  readonly counts: { submissions: number; reads: number; cancels: number; uploads: number };
  /** Epoch milliseconds of each submission, by the clock of this process. */
  readonly submittedAt: number[];
  readonly requests: FakeRequest[];
  /** Keeps jobs, or responses of direct providers, waiting until `release`. */
  hold(): void;
  release(): void;
  close(): Promise<void>;
}
