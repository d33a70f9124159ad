import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

/** Names, addresses, or networks of proxies: `loopback`, `linklocal`, `uniquelocal`, `203.0.113.7`, `10.0.0.0/8`, `fd00::/8`. */
export type TrustedProxies = readonly string[]

/** Whether the peer at this address may set `X-Forwarded-For`. The second argument, the hop, doesn't matter to us. */
export type TrustsProxy = (address: string, hop: number) => boolean

/** @throws TypeError if an entry is neither a known name nor an address or network. */
export function compileTrustedProxies(proxies: TrustedProxies): TrustsProxy {
  return proxyAddr.compile([...proxies])
}

/** @returns the first invalid entry, or undefined. `0.0.0.0/0` is rejected: it would let every client choose its address. */
export function findInvalidProxy(proxies: TrustedProxies): string | undefined {
  return proxies.find((proxy) => {
    try {
      compileTrustedProxies([proxy])
      return false
    } catch {
      return true
    }
  })
}

/** The client's address: the last one in `X-Forwarded-For` that isn't a trusted proxy, or the peer's own. Not yet validated. */
export function clientAddress(request: IncomingMessage, trusts: TrustsProxy): string {
  return proxyAddr(request, trusts)
}

/**
 * The key under which limits count an address. An IPv6 /64 network is one key, because every customer of a provider gets at least
 * that much; an IPv4-mapped IPv6 address has the same key as the IPv4 address. Invalid addresses share one key.
 */
export function addressKey(address: string): string {
  const bare = address.split('%')[0] ?? '' // an interface's zone isn't part of the address
  const version = isIP(bare)
  if (version === 4) return bare
  if (version === 0) return 'unknown'
  const parsed = ipaddr.IPv6.parse(bare)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** Stored on the request: a WeakMap entry for such a short-lived object costs more than the rest of this file. */
const ofRequest = Symbol('client key')
type WithKey = IncomingMessage & { [ofRequest]?: string }

/** By peer and header, for each set of proxies: working it out takes 20 microseconds, and a client sends many requests. */
const keysOfClients = new WeakMap<TrustsProxy, Map<string, string>>()
/** Beyond this many, all are forgotten. */
const maxKnownClients = 10_000
/** A longer header comes from nobody whom we will see again. */
const maxKnownHeader = 100

/**
 * The key under which limits count a request's address; the same for a request whose socket is gone. Undefined for the address of a
 * trusted proxy: it is this machine or network, and no particular client.
 */
export function clientKey(request: WithKey, trusts: TrustsProxy): string | undefined {
  const key = request[ofRequest] ?? findKey(request, trusts)
  request[ofRequest] = key
  return key === '' ? undefined : key
}

function findKey(request: IncomingMessage, trusts: TrustsProxy): string {
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
  if (forwarded.length > maxKnownHeader) return computeKey(request, trusts)
  const known = keysOfClients.get(trusts) ?? new Map<string, string>()
  const client = `${request.socket.remoteAddress} ${forwarded}`
  let key = known.get(client)
  if (key === undefined) {
    if (known.size >= maxKnownClients) known.clear()
    key = computeKey(request, trusts)
    known.set(client, key)
    keysOfClients.set(trusts, known)
  }
  return key
}

function computeKey(request: IncomingMessage, trusts: TrustsProxy): string {
  const address = clientAddress(request, trusts)
  return trusts(address, 0) ? '' : addressKey(address)
}
