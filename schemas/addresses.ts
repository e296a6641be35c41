/** Which addresses of the outside this service may call. Names are judged here by what they say, at each connection by what they resolve to. */
import ipaddr from 'ipaddr.js';

/** Names that never lead to the public internet (RFC 6761, 6762, 8375, 9476, and what clouds use for metadata). */
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

/** Public by their range, and yet the inside of a cloud: Azure's wire server, which hands out credentials. */
const metadataAddresses = ['168.63.129.16'];

/**
 * Ports that speak something else than HTTP, where a request may do harm: those that browsers block.
 * @see https://fetch.spec.whatwg.org/#port-blocking
 */
const blockedPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Code points. */
export const longestAddress = 2048;

/** Whether no parser should see it: a code point has two code units at most. */
export const isOverlong = (address: string) => address.length > 2 * longestAddress;

/** All of IPv6 that is given out; what lies outside (the old IPv4-compatible `::7f00:1` too) leads nowhere public. */
const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address is an ordinary public one: not private, loopback, link-local, CGNAT, mapped, NAT64, multicast … */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (metadataAddresses.includes(parsed.toString())) return false;
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(globalIPv6));
}

/** @param port as a URL has it: empty for that of its protocol */
export function isAllowedPort(port: string | number | null | undefined): boolean {
  return !port || !blockedPorts.has(Number(port));
}

/** The host of a URL as it is compared: no brackets, no trailing dots. */
export function hostOf({ hostname }: { hostname: string }): string {
  // No regular expression: `\.+$` takes the square of the time where other dots stand before the last name.
  let end = hostname.length;
  while (hostname[end - 1] === '.') end--;
  return hostname.slice(0, end).replace(/^\[|\]$/g, '');
}

/** Whether the operator allowed this host by name, with all its ports. */
export function isAllowedHost(host: string, allowedHosts: readonly string[]): boolean {
  return allowedHosts.includes(host);
}

/**
 * Judges a URL before anything is looked up. The URL parser has already turned hex, octal and decimal forms of IPv4
 * into the dotted one.
 * @returns what is wrong, as the end of a sentence that begins with the field's name; null if nothing is
 */
export function refuseAddress(
  value: string,
  allowedHosts: readonly string[],
  protocols: readonly string[] = ['http:', 'https:'],
): string | null {
  if (isOverlong(value)) return `must have at most ${longestAddress} characters`;
  const url = URL.parse(value);
  if (!url || !protocols.includes(url.protocol)) return 'must be an absolute http or https address';
  if (url.username || url.password) return 'must not hold a user name or password';
  const host = hostOf(url);
  if (isAllowedHost(host, allowedHosts)) return null;
  if (!isAllowedPort(url.port)) return 'must not name a port of another protocol than HTTP';
  if (ipaddr.isValid(host)) return isPublicAddress(host) ? null : 'must not name a private or reserved address';
  const reserved = reservedNames.some((name) => host === name || host.endsWith(`.${name}`));
  if (reserved || !host.includes('.')) return 'must not name a host of a private network';
  return null;
}
