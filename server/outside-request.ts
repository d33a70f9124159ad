import { lookup } from 'node:dns'
import { once } from 'node:events'
import { type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

type Options = Pick<RequestOptions, 'method' | 'headers'> & {
  readonly body?: Buffer | null
  /** For the whole exchange, so that a server that sends a byte now and then can't hold it. */
  readonly timeoutMs: number
  readonly maxBytes: number
  /** Returns the first `maxBytes` of a larger response, instead of rejecting it. */
  readonly mayCut?: boolean
  /** Rejects addresses that aren't on the public internet, for a URL that any user may choose. */
  readonly publicOnly: boolean
}

type OutsideResponse = {
  readonly status: number
  readonly body: string
  readonly contentType: string | undefined
  /** Where a redirect leads. */
  readonly location: string | undefined
}

/**
 * Requests a URL that isn't ours. Follows no redirect, which could lead around the checks of the URL.
 * @throws if there is no response in time, if it is too large, or if `publicOnly` rejects the address.
 */
export async function requestOutside(url: URL, options: Options): Promise<OutsideResponse> {
  const { method, headers, body, timeoutMs, maxBytes, mayCut = false, publicOnly } = options
  // Node connects to a literal address without a lookup.
  if (publicOnly && !isPublicHost(url.hostname)) throw notPublic(url.hostname)
  const request = url.protocol === 'https:' ? requestSecure : requestPlain
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    // Only checked connections stay open: one to a private address must not serve a later request that has to be public.
    const connection = publicOnly ? { lookup: publicLookup } : { agent: false }
    const sent = request(url, { method, headers, signal, ...connection })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return {
      status: response.statusCode ?? 0,
      body: await readText(response, maxBytes, mayCut),
      contentType: response.headers['content-type'],
      location: response.headers.location,
    }
  } catch (cause) {
    throw signal.aborted ? new Error(`${url.host} didn't respond within ${timeoutMs} ms`, { cause }) : cause
  }
}

async function readText(response: IncomingMessage, maxBytes: number, mayCut: boolean): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes && !mayCut) throw new Error(`The response has more than ${maxBytes} bytes`)
    chunks.push(chunk)
    if (length > maxBytes) break // which closes the connection
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8')
}

/** Whether a URL's host may be on the public internet. A name is decided when it is resolved. */
export function isPublicHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 ? !/(^|\.)localhost$/.test(address) : isPublicAddress(address)
}

/** All ranges for special use are something else than `unicast`. An IPv4-mapped IPv6 address is checked as IPv4. */
const isPublicAddress = (address: string): boolean => ipaddr.process(address).range() === 'unicast'

const notPublic = (hostname: string) => new Error(`${hostname} isn't on the public internet`)

/** Resolves as usual, and rejects other addresses. The connection uses what was checked, so resolving differently later doesn't help. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error || !first) return callback(error, [])
    if (!addresses.every(({ address }) => isPublicAddress(address))) return callback(notPublic(hostname), [])
    if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}
