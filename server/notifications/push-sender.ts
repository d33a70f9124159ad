import { lookup as resolve } from 'node:dns'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import webPush from 'web-push'
import type { Services } from './services.ts'

export type PushTarget = { readonly endpoint: string; readonly p256dh: string; readonly auth: string }
/** `gone`: the browser has unsubscribed or can never be reached, so the subscription can be deleted. */
export type PushOutcome = 'sent' | 'gone'

/** How long a push service keeps a message for a browser that is off, in seconds. */
const keepSeconds = 24 * 3600
const timeoutMs = 10_000

/** Sends messages to browsers, encrypted for each (RFC 8291) and signed by us (RFC 8292). */
export function buildPushSender({ config, secrets, siteUrl }: Services) {
  // Any browser can supply any URL, so in production it must not lead into our own network.
  const guarded = config.environment === 'production'
  return {
    /** @throws if the push service doesn't respond or is busy; the caller retries. */
    async send({ endpoint, p256dh, auth }: PushTarget, payload: object): Promise<PushOutcome> {
      const url = new URL(endpoint)
      if (guarded && (url.protocol !== 'https:' || isPrivate(url.hostname))) return 'gone'
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(payload),
        {
          vapidDetails: {
            subject: siteUrl().startsWith('https:') ? siteUrl() : `mailto:${config.operator.supportEmail}`,
            publicKey: secrets.vapidPublicKey,
            privateKey: secrets.vapidPrivateKey,
          },
          TTL: keepSeconds,
        },
      )
      const status = await post(url, headers, body, guarded)
      if (status >= 200 && status < 300) return 'sent'
      if (final.has(status)) return 'gone'
      throw new Error(`The push service ${url.host} answered ${status}`)
    },
  }
}

/** Follows no redirect, which could bypass the guard. @returns the status. */
function post(url: URL, headers: Record<string, string>, body: Buffer | null, guarded: boolean): Promise<number> {
  return new Promise((done, fail) => {
    const request = url.protocol === 'https:' ? requestSecure : requestPlain
    const sent = request(
      url,
      { method: 'POST', headers, timeout: timeoutMs, ...(guarded && { lookup: publicLookup }) },
      (response) => {
        response.resume()
        done(response.statusCode ?? 0)
      },
    )
    sent.on('timeout', () => sent.destroy(new Error(`The push service ${url.host} did not answer`)))
    sent.on('error', fail)
    sent.end(body)
  })
}

export type PushSender = ReturnType<typeof buildPushSender>

/** 404 and 410: unsubscribed. 400, 401, 403 and 413: this subscription will never take this message. 429 and 5xx are temporary. */
const final: ReadonlySet<number> = new Set([400, 401, 403, 404, 410, 413])

/** An IPv4-mapped IPv6 address (`::ffff:…`) is checked as IPv4. */
const privateNetworks = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv6')

/** Rejects host names that are addresses of our own network. Other names are checked once they are resolved. */
export function isPrivate(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
  const family = isIP(address)
  if (family === 0) return address === 'localhost' || address.endsWith('.localhost')
  return privateNetworks.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Resolves as usual, and rejects private addresses. This also catches a name that resolves differently the second time. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    const inside = addresses.some(({ address }) => isPrivate(address))
    if (inside) return callback(new Error(`${hostname} resolves to a private network`), [])
    if (options.all) return callback(null, addresses)
    const [first] = addresses
    callback(null, first?.address ?? '', first?.family)
  })
}
