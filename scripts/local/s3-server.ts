/** Starts a local S3 server (versitygw), which Go builds once. Its objects are files in a folder. */
import { mkdirSync } from 'node:fs';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { type Running, spawnChild } from './child.ts';
import { buildGoProgram } from './go-program.ts';
import { cachedProgram } from './programs.ts';
import { tied } from './tied.ts';
import { waitUntil } from './wait-until.ts';

const s3Version = '1.8.0';

export interface S3Options {
  /** The folder of the buckets. It is created if it does not exist. */
  folder: string;
  port: number;
  /** The name of a bucket to create. */
  bucket: string;
  logFile: string;
  progress?: (what: string) => void;
  signal?: AbortSignal | undefined;
}

export interface S3Server extends Running {
  /** Such as `http://127.0.0.1:7070`. */
  readonly endpoint: string;
  /** The variables by which the AWS SDK and the service find the server and its bucket. */
  readonly env: Readonly<Record<string, string>>;
}

/** The account of a server that only this machine can reach. */
const account = { accessKeyId: 'atelier-local', secretAccessKey: 'atelier-local-secret-key' };
const region = 'us-east-1';

/** Returns the path of the server. The first call on a machine takes minutes. */
export function s3Program({ progress, signal }: Pick<S3Options, 'progress' | 'signal'>): Promise<string> {
  return buildGoProgram({
    label: 'the S3 server versitygw',
    source: `github.com/versity/versitygw/cmd/versitygw@v${s3Version}`,
    file: cachedProgram('versitygw', s3Version, process.env),
    ...(progress && { progress }),
    signal,
  });
}

export async function startS3({ folder, port, bucket, logFile, progress, signal }: S3Options): Promise<S3Server> {
  const program = await s3Program({ ...(progress && { progress }), signal });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { command, args } = tied(program, ['--port', `127.0.0.1:${port}`, 'posix', folder], 'SIGTERM');
  const secrets = { ROOT_ACCESS_KEY_ID: account.accessKeyId, ROOT_SECRET_ACCESS_KEY: account.secretAccessKey };
  const child = await spawnChild({ command, args, env: { ...process.env, ...secrets }, logFile, signal });
  const endpoint = `http://127.0.0.1:${port}`;
  await waitUntil({ name: 'The S3 server', child }, () => ensureBucket(endpoint, bucket));
  const env = {
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: account.accessKeyId,
    AWS_SECRET_ACCESS_KEY: account.secretAccessKey,
    ATELIER_FILES: `s3://${bucket}`,
    ATELIER_S3_PATH_STYLE: 'true',
  };
  return { pid: child.pid, exited: child.exited, stop: child.stop, endpoint, env };
}

async function ensureBucket(endpoint: string, bucket: string): Promise<void> {
  const client = new S3Client({ endpoint, region, credentials: account, forcePathStyle: true, maxAttempts: 1 });
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
  } catch (error) {
    if (!(error instanceof Error) || !/^Bucket\w*Already/.test(error.name)) throw error;
  } finally {
    client.destroy();
  }
}
