/** Where a request comes from. */
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** The client's address; behind proxies that are trusted, the one that they name. An IPv4 address is written as one. */
export function addressOf({ ip = '' }: Request): string {
  return ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : 'unknown';
}

/** What one client can hold: an IPv4 address, or 64 bits of IPv6. */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString();
}
