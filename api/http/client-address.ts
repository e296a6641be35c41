/** The address of the client that sent a request. */
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** Returns the client's address, as trusted proxies report it. An IPv4-mapped address is written as IPv4. */
export function addressOf({ ip = '' }: Request): string {
  return ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : 'unknown';
}

/** Returns the network that one client can control: an IPv4 address, or an IPv6 /64. */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString();
}
