/** IP addresses and networks, such as those that may use an API key. */
import ipaddr from 'ipaddr.js';

/** Maximum characters of a network. */
export const longestNetwork = 64;

/** Returns whether a text is an IPv4 or IPv6 address, or a network such as `203.0.113.0/24`. */
export function isNetwork(text: string): boolean {
  const { IPv4, IPv6 } = ipaddr;
  if (IPv4.isValidFourPartDecimal(text) || IPv4.isValidCIDRFourPartDecimal(text)) return true;
  if (text.includes('%') || !(IPv6.isValid(text) || IPv6.isValidCIDR(text))) return false;
  // No client has such an address: the service reads it as IPv4.
  return !IPv6.parse(text.split('/')[0] ?? '').isIPv4MappedAddress();
}

/** Returns whether an address is one of the addresses, or in one of the networks. @param networks each `isNetwork` */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const client = ipaddr.process(address);
  return networks.some((network) => {
    const [base, bits] = network.includes('/') ? ipaddr.parseCIDR(network) : [ipaddr.parse(network), 128];
    return base.kind() === client.kind() && client.match(base, client.kind() === 'ipv4' ? Math.min(bits, 32) : bits);
  });
}
