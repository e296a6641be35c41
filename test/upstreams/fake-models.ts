/** The models behind the fakes of Replicate and fal: they read the images of an input, and make new ones of the requested size. */
import type { FakeFailure, FakeFile } from './upstream-fake.ts';
import { hugePicture, paint, type Picture, sizeOf } from './pictures.ts';

type Input = Readonly<Record<string, unknown>>;

/** A provider's storage: uploaded and generated files, by the last part of their address. */
export type Files = Map<string, { bytes: Buffer; type: string }>;

/** Fields of an input that are images to every model of the shipped examples. */
const imageField = /^(?!num_)(.+_)?(image|img|mask|images)(_url|_urls)?$/;

/**
 * Returns the name of a field whose image no model can read, because it is neither a data URI nor a file of the
 * provider; undefined when all images can be read.
 */
export async function unreadableField(input: Input, files: Files): Promise<string | undefined> {
  for (const [name, value] of imagesOf(input)) {
    const bytes = read(value, files);
    if (!bytes || !(await sizeOf(bytes))) return name;
  }
  return undefined;
}

function imagesOf(input: Input): [string, unknown][] {
  return Object.entries(input).flatMap(([name, value]) =>
    imageField.test(name) && typeof value !== 'boolean'
      ? [value].flat().map((each): [string, unknown] => [name, each])
      : [],
  );
}

function read(value: unknown, files: Files): Buffer | undefined {
  if (typeof value !== 'string') return undefined;
  const [, base64] = /^data:image\/(?:png|jpeg|webp);base64,(.+)$/s.exec(value) ?? [];
  return base64 ? Buffer.from(base64, 'base64') : files.get(value.split('/').pop() ?? '')?.bytes;
}

/**
 * Creates the files of a job's result, as many as requested, and returns their addresses.
 * @param options.url URL of the storage
 * @param options.file replaces the image
 */
export async function make(
  job: { id: string; model: string; input: Input },
  { files, url, failure, file }: { files: Files; url: string; failure: FakeFailure | null; file: FakeFile | null },
): Promise<string[]> {
  const { id, model, input } = job;
  if (failure === 'no-image') return [];
  if (failure === 'private-link') return ['http://169.254.169.254/latest/meta-data/image.png'];
  if (failure === 'dead-link') return [`${url}/files/gone.png`];
  if (failure === 'not-an-image') {
    files.set(`${id}.txt`, { bytes: Buffer.from('This is no image.'), type: 'text/plain' });
    return [`${url}/files/${id}.txt`];
  }
  if (file) {
    files.set(`${id}.bin`, { bytes: Buffer.from(file.bytes), type: file.type });
    return [`${url}/files/${id}.bin`];
  }
  const requested = await pictureOf(model, input, files);
  const picture =
    failure === 'huge-image'
      ? hugePicture
      : failure === 'nothing-found'
        ? { ...requested, kind: 'black' as const }
        : requested;
  const count = Number(input.num_images ?? input.num_outputs ?? 1);
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const name = `${id}-${index}.png`;
      files.set(name, { bytes: await paint(picture, [model, input, index]), type: 'image/png' });
      return `${url}/files/${name}`;
    }),
  );
}

async function pictureOf(model: string, input: Input, files: Files): Promise<Picture> {
  const kind = /birefnet|background/.test(model) ? 'alpha' : /depth|sam|segment/.test(model) ? 'gray' : 'opaque';
  const { width, height } = Object(input.image_size ?? input) as { width?: unknown; height?: unknown };
  if (typeof width === 'number' && typeof height === 'number') return { width, height, kind };
  const bytes = read(imagesOf(input)[0]?.[1], files);
  const size = (bytes && (await sizeOf(bytes))) ?? { width: 1024, height: 1024 };
  const factor = factorOf(model, input);
  return { width: size.width * factor, height: size.height * factor, kind };
}

function factorOf(model: string, { upscale_factor, scale, scale_factor, upscale }: Input): number {
  const factor = Number(upscale_factor ?? scale ?? scale_factor ?? upscale ?? 1);
  // GFPGAN doubles the image, then resizes it by half of the factor if that is not 2 (`predict.py` of cog-gfpgan).
  return model.includes('gfpgan') ? (factor === 2 ? 2 : factor / 2) : factor;
}
