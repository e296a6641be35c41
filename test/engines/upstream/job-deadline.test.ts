/** A job that its provider ends at the deadline of the call is a timeout. It is not submitted again. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { startReplicate } from '../../upstreams/replicate.ts';
import { eventually } from '../../support/eventually.ts';
import { apiKey } from './bench.ts';
import { openExample } from './example-engine.ts';

afterEach(() => void jest.restoreAllMocks());

test('a prediction that Cancel-After has ended is provider_timeout, after one submission', async () => {
  const fake = await startReplicate({ apiKey });
  const engine = await openExample('replicate', fake.url);
  try {
    fake.hold();
    const params = { prompt: 'a fox', width: 1024, height: 1024, seed: 1, nsfw: false, outputFormat: 'png' };
    const failure = engine
      .run({ model: 'quantum', task: 'text-to-image', params } as never)
      .catch((error: unknown) => error);
    // A poll shows that the job is stored.
    await eventually(() => expect(fake.counts.reads).toBeGreaterThan(0));
    const [{ headers } = { headers: {} as Record<string, string | undefined> }] = fake.requests.filter(({ path }) =>
      path.endsWith('/predictions'),
    );
    expect(headers['cancel-after']).toBe('90s');
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + 91_000);
    expect(await failure).toMatchObject({ code: 'provider_timeout' });
    expect(fake.counts.submissions).toBe(1);
  } finally {
    await engine.close();
    await fake.close();
  }
});
