/** Reads what a service has stored of an artwork or an uploaded file: in its folder, or in its bucket. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GetObjectCommand, ListObjectsV2Command, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import type { Service } from './stack.ts';

type Stored = Pick<Service, 'env' | 'dataFolder'>;

/** Returns the names of an owner's files. */
export async function storedNames({ env, dataFolder }: Stored, owner: string): Promise<string[]> {
  const bucket = bucketOf(env);
  if (bucket === null) return await readdir(join(dataFolder, 'images', owner)).catch(() => []);
  const Prefix = `${owner}/`;
  return await withClient(env, async (client) => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix }));
    return Contents.map(({ Key = '' }) => Key.slice(Prefix.length));
  });
}

/** Returns the artworks and uploaded files that have files. */
export async function storedOwners({ env, dataFolder }: Stored): Promise<string[]> {
  const bucket = bucketOf(env);
  const names =
    bucket === null
      ? await readdir(join(dataFolder, 'images'))
      : await withClient(env, async (client) => {
          const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Delimiter: '/' });
          const found: string[] = [];
          for await (const { CommonPrefixes = [] } of pages) {
            found.push(...CommonPrefixes.map(({ Prefix = '' }) => Prefix.slice(0, -1)));
          }
          return found;
        });
  return names.filter((name) => /^(art|ans|file)_/.test(name));
}

/** @throws when there is no such file */
export async function storedBytes({ env, dataFolder }: Stored, owner: string, name: string): Promise<Buffer> {
  const bucket = bucketOf(env);
  if (bucket === null) return await readFile(join(dataFolder, 'images', owner, name));
  return await withClient(env, async (client) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: `${owner}/${name}` }));
    return Buffer.from((await Body?.transformToByteArray()) ?? []);
  });
}

/** Returns null when the service stores its files in a folder. */
function bucketOf({ ATELIER_FILES: location }: NodeJS.ProcessEnv): string | null {
  return location ? new URL(location).hostname : null;
}

async function withClient<T>(env: NodeJS.ProcessEnv, use: (client: S3Client) => Promise<T>): Promise<T> {
  const client = new S3Client({
    endpoint: env['AWS_ENDPOINT_URL_S3'] ?? '',
    region: env['AWS_REGION'] ?? '',
    forcePathStyle: true,
    credentials: {
      accessKeyId: env['AWS_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: env['AWS_SECRET_ACCESS_KEY'] ?? '',
    },
  });
  try {
    return await use(client);
  } finally {
    client.destroy();
  }
}
