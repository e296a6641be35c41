/** A hostile file gives the same error at every provider, within limits, and the next call succeeds. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import type { ProtocolName } from '../../../engines/upstream/protocols.ts';
import { decodeLimits } from '../../../images/decode-limits.ts';
import { createDecoder } from '../../../images/decoder.ts';
import { costlySvg, jpegOfScans, pngOfComments } from '../../support/hostile-images.ts';
import { bomb, damaged, refusedByHeader } from '../../support/pictures.ts';
import type { FakeFile } from '../../upstreams/upstream-fake.ts';
import { openProtocol, type ProtocolBench, protocolNames } from './every-protocol.ts';

const once = (make: () => Buffer) => {
  let made: Buffer | undefined;
  return () => Promise.resolve((made ??= make()));
};

const notAnImage = 'returned a file that is not an image';
const tooCostly = 'returned an image that takes too much time or memory to decode';

const files: readonly (readonly [name: string, type: string, make: () => Promise<Uint8Array>, message: string])[] = [
  ['an SVG', 'application/octet-stream', once(costlySvg), notAnImage],
  ['a GIF', 'binary/octet-stream', refusedByHeader['a GIF']!, notAnImage],
  ['a TIFF', 'application/octet-stream', refusedByHeader['a TIFF']!, notAnImage],
  ['an AVIF', 'application/octet-stream', refusedByHeader['an AVIF']!, notAnImage],
  ['a PDF', 'application/octet-stream', refusedByHeader['a PDF']!, notAnImage],
  ['a PNG cut off in the middle', 'image/png', damaged['a PNG cut off in the middle']!, notAnImage],
  ['900 megapixels', 'image/png', once(() => bomb(30_000, 30_000)), 'returned too large an image'],
  ['a PNG whose comments have gigabytes', 'image/png', once(() => pngOfComments()), tooCostly],
  ['a JPEG with thousands of scans', 'image/jpg', once(() => jpegOfScans(4000)), tooCostly],
];

const drawn = () => sharp({ create: { width: 1024, height: 1024, channels: 3, background: '#d0783c' } });

describe.each(protocolNames)('%s', (name) => {
  let file: FakeFile | null = null;
  let at: ProtocolBench;

  beforeAll(async () => {
    // CPU time in milliseconds. Less than a scan bomb takes, and far more than the images of the fakes take.
    const limits = (pixels: number, bytes: number) => ({ ...decodeLimits(pixels, bytes), cpuTime: 1000 });
    at = await openProtocol(name, { file: () => file, decoder: createDecoder({ limits }) });
  });
  afterAll(() => at.close());

  test.each(files)('rejects %s, declared as %s', async (what, type, make, message) => {
    file = { bytes: await make(), type };
    const began = performance.now();
    await expect(at.run(`art_${what}`)).rejects.toMatchObject({
      code: 'provider_rejected',
      message: `${name} ${message}`,
    });
    expect(performance.now() - began).toBeLessThan(20_000);
    file = null;
    const { images } = await at.run(`art_after ${what}`);
    expect(images).toHaveLength(1);
  });

  test.each(['', 'application/octet-stream', 'image/jpg', 'IMAGE/JPEG'])(
    'accepts a JPEG that is declared as "%s"',
    async (type) => {
      file = { bytes: await drawn().jpeg().toBuffer(), type };
      expect((await at.run(`art_declared ${type}`)).images).toHaveLength(1);
    },
  );
});

/** The protocols whose files have a declared type. */
describe.each<ProtocolName>(['fal', 'replicate', 'comfyui'])('%s', (name) => {
  let file: FakeFile | null = null;
  let at: ProtocolBench;

  beforeAll(async () => {
    at = await openProtocol(name, { file: () => file });
  });
  afterAll(() => at.close());

  test.each(['image/png', 'image/svg+xml', 'application/json'])(
    'rejects a JPEG that is declared as %s',
    async (type) => {
      file = { bytes: await drawn().jpeg().toBuffer(), type };
      await expect(at.run(`art_contradicts ${type}`)).rejects.toMatchObject({
        code: 'provider_rejected',
        message: `${name} returned a file of another type than it declared`,
      });
      const logged = { engine: name, declaredType: type, foundType: 'image/jpeg' };
      // ComfyUI is the operator's own server, and its client does not log.
      expect(at.warnings).toEqual(name === 'comfyui' ? [] : [logged]);
      at.warnings.length = 0;
    },
  );
});
