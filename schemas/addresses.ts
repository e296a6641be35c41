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

/** All of IPv6 that is given out; what lies outside (the old IPv4-compatible `::7f00:1` too) leads nowhere public. */
const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address is an ordinary public one: not private, loopback, link-local, CGNAT, mapped, NAT64, multicast … */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(globalIPv6));
}

/** The host of a URL as it is compared: no brackets, no trailing dots. */
export function hostOf({ hostname }: { hostname: string }): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

/** Whether the operator allowed this host by name. */
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
  const url = URL.parse(value);
  if (!url || !protocols.includes(url.protocol)) return 'must be an absolute http or https address';
  if (url.username || url.password) return 'must not hold a user name or password';
  const host = hostOf(url);
  if (isAllowedHost(host, allowedHosts)) return null;
  if (ipaddr.isValid(host)) return isPublicAddress(host) ? null : 'must not name a private or reserved address';
  const reserved = reservedNames.some((name) => host === name || host.endsWith(`.${name}`));
  if (reserved || !host.includes('.')) return 'must not name a host of a private network';
  return null;
}
