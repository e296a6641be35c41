/** How long a server wants to be left alone, by its headers. */

/** A server cannot hold an artwork longer than this. */
const longest = 3600_000;

/** @param headers names in lower case @returns milliseconds, or undefined where it does not say */
export function retryAfter(headers: Readonly<Record<string, string>> = {}): number | undefined {
  const wait = Number.parseFloat(headers['retry-after-ms'] ?? '') || inHeader(headers['retry-after'], headers.date);
  return wait >= 0 ? Math.min(wait, longest) : undefined;
}

/** A date counts from the server's own clock, so that ours may be wrong. */
function inHeader(value = '', date = ''): number {
  return /^\s*\d+(\.\d+)?\s*$/u.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.parse(date);
}
