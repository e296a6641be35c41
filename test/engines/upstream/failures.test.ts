/** A failure looks the same for every provider: all protocols, all failures, one table. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProtocolName } from '../../../engines/upstream/protocols.ts';
import type { ErrorCode } from '../../../schemas/errors.ts';
import { impossibleFailures } from '../../upstreams/comfyui.ts';
import type { FakeFailure } from '../../upstreams/upstream-fake.ts';
import { apiKey, openProtocol, type ProtocolBench, protocolNames } from './every-protocol.ts';

/** Failures of models that read images, which `same-failure.test.ts` compares. */
type OfImages = 'no-face' | 'nothing-found';

/** The code that the client sees for each failure. */
const codes: Record<Exclude<FakeFailure, OfImages>, ErrorCode> = {
  'bad-request': 'provider_rejected',
  'bad-key': 'provider_rejected',
  forbidden: 'provider_rejected',
  unpaid: 'provider_rejected',
  'not-found': 'provider_rejected',
  moderation: 'content_refused',
  busy: 'provider_unavailable',
  quota: 'provider_unavailable',
  broken: 'provider_unavailable',
  unavailable: 'provider_unavailable',
  'gateway-timeout': 'provider_timeout',
  html: 'provider_unavailable',
  reset: 'provider_unavailable',
  cut: 'provider_unavailable',
  malformed: 'provider_unavailable',
  'wrong-type': 'provider_unavailable',
  redirect: 'provider_rejected',
  silence: 'provider_timeout',
  'endless-job': 'provider_timeout',
  'lost-job': 'provider_unavailable',
  'failed-job': 'provider_rejected',
  'out-of-memory': 'provider_unavailable',
  'private-link': 'provider_rejected',
  'dead-link': 'provider_unavailable',
  'huge-image': 'provider_rejected',
  'not-an-image': 'provider_rejected',
  'no-image': 'provider_rejected',
};

const jobs: readonly FakeFailure[] = ['endless-job', 'lost-job', 'failed-job', 'out-of-memory'];
const endless: readonly FakeFailure[] = ['silence', 'endless-job'];
const links: readonly FakeFailure[] = ['private-link', 'dead-link'];

/** Failures that cannot happen with a protocol. */
const impossible: Record<ProtocolName, readonly FakeFailure[]> = {
  openai: [...jobs, ...links],
  'openai-compatible': [...jobs, ...links],
  google: [...jobs, ...links],
  replicate: [],
  // No error of fal names it.
  fal: ['out-of-memory'],
  comfyui: impossibleFailures,
};

/** Milliseconds that a call may take. The short timeout is for tests that wait until it passes. */
const short = 800;
const long = 60_000;

describe.each(protocolNames)('%s', (name) => {
  let at: ProtocolBench;

  beforeAll(async () => {
    at = await openProtocol(name);
  });
  afterAll(() => at.close());

  test('succeeds', async () => {
    at.fake.fail(null);
    const { images, model } = await at.run('art_good/image-1', long);
    expect(images).toEqual([expect.objectContaining({ width: 1024, height: 1024, contentType: 'image/png' })]);
    expect(model).toMatch(new RegExp(`^${name}/`));
  });

  const failures = Object.entries(codes) as [FakeFailure, ErrorCode][];
  test.each(failures.filter(([failure]) => !impossible[name].includes(failure)))(
    'reports %s as %s',
    async (failure, code) => {
      at.fake.fail(failure);
      const error = await at.run(`art_${failure}/image-1`, endless.includes(failure) ? short : long).then(
        () => null,
        (thrown: unknown) => thrown as { name: string; code: string; message: string; publicMessage?: string },
      );
      // The activity ends a call without a response, and reports provider_timeout.
      expect(error?.name === 'TimeoutError' ? 'provider_timeout' : error?.code).toBe(code);
      expect(error?.publicMessage).toBeUndefined();
      expect(`${error?.message} ${JSON.stringify(error)}`).not.toContain(apiKey);
      expect(error?.message).not.toContain(at.fake.url);
    },
  );
});
