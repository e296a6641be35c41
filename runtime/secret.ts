/** Rejects an ATELIER_SECRET that is missing, can be guessed or is publicly known. */
import { StartupError } from './startup-error.ts';

/** Characters of `openssl rand -hex 16`, the shortest secret that cannot be guessed. */
const leastLength = 32;

/** Different characters. A random secret of the shortest length in hexadecimal digits has fewer once in 10 million. */
const leastVariety = 8;

/** Secrets that releases up to 2.6.2 used by default. */
const published = ['atelier-development-secret-not-for-production'];

const remedy =
  'Generate a secret with "openssl rand -base64 32", give the same one to all processes, and keep it: ' +
  'it encrypts webhook secrets and signs image links.';

/**
 * Returns the secret.
 * @throws StartupError when it is not set or weak. The message does not repeat it, and says how to replace a weak secret
 * that is in use.
 */
export function requireSecret(secret: string): string {
  const weakness = weaknessOf(secret);
  if (weakness === null) return secret;
  const rotation = secret === '' ? '' : ' If data is encrypted with this one, set it as ATELIER_PREVIOUS_SECRET.';
  throw new StartupError(`ATELIER_SECRET ${weakness}. ${remedy}${rotation}`);
}

function weaknessOf(secret: string): string | null {
  if (secret === '') return 'is not set';
  if (published.includes(secret)) return 'is publicly known';
  if (secret.length < leastLength) return `must have at least ${leastLength} characters`;
  if (new Set(secret).size < leastVariety) return `must have at least ${leastVariety} different characters`;
  return null;
}
