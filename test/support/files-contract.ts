/** The behaviour that every store of files has in common. Test files call it with their own store. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { Files } from '../../store/files.ts';
import { isStoreUnavailable } from '../../store/unavailable.ts';

const chunk = Buffer.alloc(100_000, 7);

async function* failingAfter(chunks: number): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < chunks; sent++) {
    yield chunk;
    await setImmediate();
  }
  throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
}

/** Defines the tests. @param open returns the store, after `beforeAll` */
export function testFiles(open: () => Files): void {
  const contents = async (owner: string, name: string) => {
    const file = await open().read(owner, name);
    return file && buffer(file);
  };

  test('reads the bytes that it wrote', async () => {
    const bytes = Buffer.from([0, 1, 254, 255]);
    await open().write('art_1', 'image-1.png', bytes);
    expect(await contents('art_1', 'image-1.png')).toEqual(bytes);
    expect(Buffer.from((await open().load('art_1', 'image-1.png'))!)).toEqual(bytes);
    expect(await open().size('art_1', 'image-1.png')).toBe(4);
  });

  test('reads a part of a file', async () => {
    await open().write('art_1', 'part.png', Buffer.from('0123456789'));
    const read = async (start: number, end: number) =>
      (await buffer((await open().read('art_1', 'part.png', { start, end }))!)).toString();
    expect([await read(0, 0), await read(2, 4), await read(9, 9)]).toEqual(['0', '234', '9']);
  });

  test('a second write replaces the first, and repeating a write changes nothing', async () => {
    await open().write('art_2', 'a.png', Buffer.from('long before'));
    for (let times = 0; times < 2; times++) await open().write('art_2', 'a.png', Buffer.from('after'));
    expect(await contents('art_2', 'a.png')).toEqual(Buffer.from('after'));
  });

  test('a reader never sees a partial file while it is replaced', async () => {
    const size = 2_000_000;
    await open().write('art_4', 'a.png', Buffer.alloc(size, 0));
    const writes = (async () => {
      for (let value = 1; value <= 5; value++) await open().write('art_4', 'a.png', Buffer.alloc(size, value));
    })();
    for (let times = 0; times < 10; times++) {
      const bytes = (await contents('art_4', 'a.png'))!;
      expect(bytes.byteLength).toBe(size);
      expect(bytes.equals(Buffer.alloc(size, bytes[0]))).toBe(true);
    }
    await writes;
  });

  test('writes a stream', async () => {
    const chunks = Array.from({ length: 30 }, (_none, index) => Buffer.alloc(100_000, index));
    await open().write('art_5', 'stream.png', { open: () => Readable.from(chunks), size: 3_000_000 });
    expect((await contents('art_5', 'stream.png'))!.equals(Buffer.concat(chunks))).toBe(true);
  });

  test('a stream may be empty', async () => {
    await open().write('art_5', 'empty.png', { open: () => Readable.from([]), size: 0 });
    expect(await open().size('art_5', 'empty.png')).toBe(0);
  });

  describe.each([
    ['before its first byte', 0],
    ['in the middle', 15],
    ['before its last byte', 29],
  ])('a write whose source fails %s', (_when, chunks) => {
    const content = {
      open: () => Readable.from(failingAfter(chunks), { objectMode: false }),
      size: 30 * chunk.byteLength,
    };

    test('reports the source, not the store, and changes nothing', async () => {
      await open().write('art_11', 'a.png', Buffer.from('before'));
      const began = performance.now();
      const error = await open()
        .write('art_11', 'a.png', content)
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'SourceError', cause: { code: 'ENOENT' } });
      expect(isStoreUnavailable(error)).toBe(false);
      expect(performance.now() - began).toBeLessThan(1000);
      expect(await contents('art_11', 'a.png')).toEqual(Buffer.from('before'));
    });
  });

  test('a write whose source closes early reports the source', async () => {
    const openOnce = () => {
      const source = Readable.from(Array.from({ length: 30 }, () => chunk));
      source.once('data', () => source.destroy());
      return source.pause();
    };
    const writing = open().write('art_11', 'b.png', { open: openOnce, size: 30 * chunk.byteLength });
    await expect(writing).rejects.toMatchObject({ name: 'SourceError' });
    expect(await contents('art_11', 'b.png')).toBeNull();
  });

  test('a write of a file that does not exist reports the source', async () => {
    const writing = open().write('art_11', 'c.png', { open: () => createReadStream('/no/such/file'), size: 3 });
    await expect(writing).rejects.toMatchObject({ name: 'SourceError', cause: { code: 'ENOENT' } });
    expect(await contents('art_11', 'c.png')).toBeNull();
  });

  test('returns null for a missing file', async () => {
    for (const [owner, name] of [
      ['art_1', 'image-2.png'],
      ['art_none', 'image-1.png'],
    ] as const) {
      expect(await open().read(owner, name)).toBeNull();
      expect(await open().load(owner, name)).toBeNull();
      expect(await open().size(owner, name)).toBeNull();
    }
  });

  test('deletes one file, and a missing one without an error', async () => {
    await open().write('art_6', 'a.png', Buffer.from('a'));
    await open().write('art_6', 'a.png.b', Buffer.from('b'));
    for (let times = 0; times < 2; times++) await open().delete('art_6', 'a.png');
    expect([await contents('art_6', 'a.png'), await contents('art_6', 'a.png.b')]).toEqual([null, Buffer.from('b')]);
  });

  test('removes all files of one artwork, and no others', async () => {
    for (const name of ['a.png', 'b.png']) await open().write('art_3', name, Buffer.from(name));
    await open().write('art_33', 'a.png', Buffer.from('c'));
    await open().remove('art_3');
    expect([await contents('art_3', 'a.png'), await contents('art_3', 'b.png')]).toEqual([null, null]);
    expect(await contents('art_33', 'a.png')).toEqual(Buffer.from('c'));
  });

  test('removes an artwork without files, even twice', async () => {
    for (let times = 0; times < 2; times++) await open().remove('art_never');
  });

  test.each([
    ['..', 'outside.png'],
    ['..', '../../../../etc/passwd'],
    ['art_1', '../art_2/a.png'],
    ['art_1/..', 'a.png'],
    ['', 'a.png'],
    ['art_1', ''],
    ['.', 'a.png'],
  ])('rejects the owner %p with the name %p', async (owner, name) => {
    await expect(open().write(owner, name, Buffer.from('x'))).rejects.toThrow('name of a file');
    await expect(open().read(owner, name)).rejects.toThrow('name of a file');
    await expect(open().load(owner, name)).rejects.toThrow('name of a file');
    await expect(open().delete(owner, name)).rejects.toThrow('name of a file');
    if (name === 'a.png') await expect(open().remove(owner)).rejects.toThrow('name of a file');
  });
}
