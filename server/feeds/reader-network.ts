import { createHmac, hkdfSync } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { clientKey, type TrustsProxy } from '../http/client-address.ts'

/**
 * The network of an address, as coarse as what one household or office has: /24 of IPv4, /48 of IPv6. An IPv4-mapped IPv6 address has the
 * network of the IPv4 address. Undefined for an invalid address.
 */
export function networkOf(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return `${parsed.toByteArray().slice(0, 3).join('.')}.0/24`
  const [first, second, third] = (parsed as ipaddr.IPv6).parts
  return `${[first, second, third].map((part = 0) => part.toString(16)).join(':')}::/48`
}

/** Names the network where a feed is read, so that nobody who reads the database learns it, or that two fans share one. */
export function buildNetworkNames(jwtSecret: string, trustsProxy: TrustsProxy) {
  const key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'networks of feed readers', 32))
  /** Undefined for the address of a trusted proxy: it is this machine or network, and no particular reader. */
  return ({ raw, ip }: FastifyRequest, tokenHash: Buffer): string | undefined => {
    const network = clientKey(raw, trustsProxy) === undefined ? undefined : networkOf(ip)
    if (network === undefined) return undefined
    return createHmac('sha256', key).update(tokenHash).update(network).digest('base64url').slice(0, 22)
  }
}
