/** Image files, their headers, and the types that servers declare for them. */
import sharp from 'sharp';
import { findContradiction } from '../../../images/declared-type.ts';
import { createDecoder } from '../../../images/decoder.ts';
import { readPicture, refusePicture } from '../../../images/header.ts';
import { readDataUri } from '../../../services/request-references.ts';
import { jpegOfScans, pngOfComments } from '../../support/hostile-images.ts';
import { Violation } from '../measure.ts';
import { bytesOf, type Table } from '../parser.ts';

/** The limits of the decoder's process, which few bytes should not reach. */
const limits = () => ({ cpuTime: 5000, memory: 2 ** 30 });

/** Bytes. A decoder's input is sent to another process. */
const longest = 256 * 1024;

export const open: Table['open'] = async () => {
  const decoder = createDecoder({ limits });
  const picture = () => sharp({ create: { width: 24, height: 16, channels: 4, background: '#c8420180' } });
  const exif = { IFD0: { Copyright: 'a', Orientation: '6' } };
  const files = await Promise.all([
    picture().png().toBuffer(),
    picture().png().withExif(exif).toBuffer(),
    picture().jpeg({ progressive: true }).withExif(exif).toBuffer(),
    picture().webp().withExif(exif).toBuffer(),
    picture().webp({ lossless: true }).toBuffer(),
  ]);
  const examples = files.map((file) => file.toString('latin1'));
  const [png = ''] = files.map((file) => file.toString('base64'));
  const parsers = {
    'the header of an image': {
      modules: [
        'images/header.ts',
        'images/png-header.ts',
        'images/jpeg-header.ts',
        'images/webp-header.ts',
        'images/exif-orientation.ts',
      ],
      examples: [
        ...examples,
        pngOfComments(1).toString('latin1'),
        jpegOfScans(16).subarray(0, 4096).toString('latin1'),
      ],
      longest: 1024 * 1024,
      parse(input: string) {
        const found = readPicture(bytesOf(input));
        if (found) refusePicture(found, input.length);
      },
    },
    'the declared type of an image': {
      modules: ['images/declared-type.ts'],
      examples: ['image/png', 'text/html; charset=utf-8', 'application/octet-stream'],
      parse: (input: string) => findContradiction(input, files[0] ?? new Uint8Array()),
    },
    'an image as a data URI': {
      modules: ['services/request-references.ts'],
      examples: [png],
      parse: readDataUri,
    },
    'the pixels of an image': {
      modules: ['images/decoder.ts', 'images/conversions.ts', 'images/decoder-process.ts'],
      examples,
      longest,
      share: 1 / 4,
      async parse(input: string) {
        const result = await decoder.convert(bytesOf(input), { to: 'input' }, AbortSignal.timeout(30_000));
        // The CPU time and the memory of its process are not those of this one.
        if ('refused' in result && result.refused === 'image-too-costly') throw new Violation('exceeds its limits');
      },
    },
  };
  return { parsers, close: () => decoder.close() };
};
