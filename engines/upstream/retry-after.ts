/** Reads from a response's headers how long the server asks us to wait. */

/** Milliseconds. A server cannot delay an artwork for longer. */
const longestWait = 3600_000;

/** Returns milliseconds, or undefined when the headers do not say. @param headers names in lower case */
export function retryAfter(headers: Readonly<Record<string, string>> = {}): number | undefined {
  const wait = Number.parseFloat(headers['retry-after-ms'] ?? '') || parseHeader(headers['retry-after'], headers.date);
  return wait >= 0 ? Math.min(wait, longestWait) : undefined;
}

/** A date is compared with the server's own clock, so our clock may be wrong. */
function parseHeader(value = '', date = ''): number {
  return /^\s*\d+(\.\d+)?\s*$/u.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.parse(date);
}
