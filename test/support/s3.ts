/** A real S3 server for tests, behind a proxy that can fail, and the contents of its bucket. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { onFreePorts } from '../../scripts/local/ports.ts';
import { startS3 } from '../../scripts/local/s3-server.ts';
import { throttledProgress } from './backends.ts';
import { type FaultyStore, startFaultyStore } from './faulty-store.ts';

export interface TestStore {
  /** The variables of a service that uses the bucket `images` below the prefix `test`. */
  env: Record<string, string>;
  /** The address of the server itself, for tests that measure. */
  endpoint: string;
  faults: FaultyStore;
  /** Returns the keys below a prefix. */
  list(prefix?: string): Promise<string[]>;
  stop(): Promise<void>;
}

const bucket = 'images';

export async function startTestStore(): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-s3-'));
  const { started } = await onFreePorts([27070], '127.0.0.1', ([port = 0]) =>
    startS3({
      folder: join(folder, 'buckets'),
      port,
      bucket,
      logFile: join(folder, 's3.log'),
      progress: throttledProgress(),
    }),
  );
  const faults = await startFaultyStore(started.endpoint);
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = started.env;
  const client = new S3Client({
    ...{ endpoint: started.endpoint, region: 'us-east-1', forcePathStyle: true },
    credentials: { accessKeyId, secretAccessKey },
  });
  return {
    env: { ...started.env, AWS_ENDPOINT_URL_S3: faults.endpoint, ATELIER_FILES: `s3://${bucket}/test` },
    endpoint: started.endpoint,
    faults,
    async list(prefix = '') {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }));
      return Contents.flatMap(({ Key }) => Key ?? []);
    },
    async stop() {
      client.destroy();
      await faults.close();
      await started.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
