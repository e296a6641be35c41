/** Decides which external URLs this service may call: checks the text of a URL before any DNS lookup, and the IP address at each connection. */
import ipaddr from 'ipaddr.js';

/** Names that never lead to the public internet (RFC 6761, 6762, 8375, 9476, and cloud metadata services). */
const reservedNames = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'home.arpa',
  'test',
  'invalid',
  'example',
  'onion',
];

/** Addresses in public ranges that a cloud uses internally: Azure's wire server hands out credentials. */
const metadataAddresses = ['168.63.129.16'];

/**
 * The ports that browsers block, because a request to another protocol can do harm.
 * @see https://fetch.spec.whatwg.org/#port-blocking
 */
const blockedPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Maximum length in code points. */
export const longestAddress = 2048;

/** Returns an address without the slashes at its end. The pattern begins at the first of them, so that its time is linear. */
export const withoutTrailingSlashes = (address: string): string => address.replace(/(?<!\/)\/+$/u, '');

/** Returns whether an address is too long to parse. `length` counts code units, of which a code point has at most two. */
export const isOverlong = (address: string) => address.length > 2 * longestAddress;

/** The allocated part of IPv6. Addresses outside it, such as the deprecated IPv4-compatible `::7f00:1`, are not public. */
const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns whether an IP address is public: not private, loopback, link-local, CGNAT, IPv4-mapped, NAT64, multicast …
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (metadataAddresses.includes(parsed.toString())) return false;
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(globalIPv6));
}

/** Returns whether a URL may use a port. @param port as in a URL: empty for the default port of its protocol */
export function isAllowedPort(port: string | number | null | undefined): boolean {
  return !port || !blockedPorts.has(Number(port));
}

/** Returns the host of a URL in the form used for comparison: without brackets and trailing dots. */
export function hostOf({ hostname }: { hostname: string }): string {
  // A regular expression such as `\.+$` takes quadratic time on many dots before the last label.
  let end = hostname.length;
  while (hostname[end - 1] === '.') end--;
  return hostname.slice(0, end).replace(/^\[|\]$/g, '');
}

/** Returns whether the operator allowed this host, which allows all its ports. */
export function isAllowedHost(host: string, allowedHosts: readonly string[]): boolean {
  return allowedHosts.includes(host);
}

/**
 * Checks a URL before any DNS lookup. The URL parser has already turned hexadecimal, octal and decimal IPv4 addresses
 * into dotted ones.
 * @returns what is wrong, as the end of a sentence that begins with the field's name; null if the URL is allowed
 */
export function refuseAddress(
  value: string,
  allowedHosts: readonly string[],
  protocols: readonly string[] = ['http:', 'https:'],
): string | null {
  if (isOverlong(value)) return `must have at most ${longestAddress} characters`;
  const url = URL.parse(value);
  if (!url || !protocols.includes(url.protocol)) {
    return `must be an absolute ${protocols.map((protocol) => protocol.slice(0, -1)).join(' or ')} URL`;
  }
  if (url.username || url.password) return 'must not contain a user name or password';
  const host = hostOf(url);
  if (isAllowedHost(host, allowedHosts)) return null;
  if (!isAllowedPort(url.port)) return 'must not use a port of a protocol other than HTTP';
  if (ipaddr.isValid(host)) return isPublicAddress(host) ? null : 'must not point to a private or reserved address';
  const reserved = reservedNames.some((name) => host === name || host.endsWith(`.${name}`));
  if (reserved || !host.includes('.')) return 'must not point to a host on a private network';
  return null;
}
