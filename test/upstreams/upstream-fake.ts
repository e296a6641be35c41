/** What every fake of a provider has, so that one table of failures runs over all of them. */

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
  /** A page with 502. */
  | 'html'
  | 'reset'
  /** Half an answer. */
  | 'cut'
  /** 200, no JSON. */
  | 'malformed'
  /** 200, text/html. */
  | 'wrong-type'
  /** 302 to elsewhere. */
  | 'redirect'
  /** Never answers. */
  | 'silence'
  | 'endless-job'
  | 'lost-job'
  | 'failed-job'
  | 'private-link'
  | 'dead-link'
  | 'huge-image'
  | 'not-an-image'
  | 'no-image';

export interface UpstreamFake {
  url: string;
  /** Null: none from now on. A failure without a meaning for a protocol acts as `silence`. */
  fail(failure: FakeFailure | null, options?: { times?: number; at?: 'submit' | 'look' | 'collect' }): void;
  readonly counts: { submissions: number; looks: number; cancels: number; uploads: number };
  readonly submittedAt: number[];
  readonly requests: { path: string; headers: Record<string, string | undefined>; body: unknown }[];
  /** Jobs wait, or an answer waits, until released. */
  hold(): void;
  release(): void;
  close(): Promise<void>;
}
