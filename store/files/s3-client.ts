/** Clients of the AWS SDK, configured by the SDK's own variables, and their errors. */
import { S3Client } from '@aws-sdk/client-s3';
import { StartupError } from '../../runtime/startup-error.ts';
import { FilesUnavailable } from './unavailable.ts';

interface ClientOptions {
  pathStyle: boolean;
  /** Milliseconds without a byte sent or received before a request fails. */
  idleTimeout: number;
}

/** Requests fail after two attempts, because callers have deadlines and retries of their own. */
const maxAttempts = 2;
/** Milliseconds. */
const connectionTimeout = 1000;
/** Downloads by slow clients hold sockets, so the SDK's default of 50 is too low. */
const maxSockets = 500;

export function createClient({ pathStyle, idleTimeout }: ClientOptions): S3Client {
  return new S3Client({
    forcePathStyle: pathStyle,
    maxAttempts,
    requestHandler: {
      connectionTimeout,
      socketTimeout: idleTimeout,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
  });
}

/** @throws StartupError that names the variable to set */
export async function checkClient({ config }: S3Client): Promise<void> {
  await config.region().catch(() => {
    throw new StartupError(
      'AWS_REGION is not set. Object storage needs it; use us-east-1 if your store has no regions.',
    );
  });
  await config.credentials().catch(() => {
    throw new StartupError(
      'The object storage in ATELIER_FILES has no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, ' +
        'or another source of credentials that the AWS SDK supports.',
    );
  });
}

/** Returns an error without the SDK's own words, which may contain addresses and the id of the key. */
export function toUnavailable(step: string, error: unknown): FilesUnavailable {
  const { name, code, $metadata } = error as { name?: string; code?: unknown; $metadata?: { httpStatusCode?: number } };
  const parts = [name ?? 'Error', typeof code === 'string' && code !== name && code, $metadata?.httpStatusCode];
  const reason = parts.filter(Boolean).join(' ');
  return new FilesUnavailable(`The object storage is not available: ${step} failed (${reason})`);
}

/** Returns whether an error means that the object does not exist. A missing bucket is another error. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound');
}
