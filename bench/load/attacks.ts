import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { Client, forEach } from '../realtime/clients.ts'

/** Someone with an account who means harm. */
export type Attacker = { readonly userId: string; readonly profileId: string; readonly token: string }

/** What attackers know: the product's address, the public key, accounts that anybody may have, and some public names. */
export type Target = {
  readonly url: string
  readonly anonKey: string
  readonly attackers: readonly Attacker[]
  /** Whom they try to lock out. */
  readonly email: string
  /** Whom they write to, and whose pages they ask for. */
  readonly strangers: readonly { readonly id: string; readonly username: string }[]
}

/** Counts how the product answered: by status, or by what else happened. */
export type Count = (answer: string) => void

type Attack = (target: Target, stop: AbortSignal, count: Count) => Promise<void>

/** Answers that nobody waits for any longer. */
const patienceMs = 20_000

/**
 * Requests of known kinds that cost the product more than the one who sends them. Each attack comes from an address of its own, or from one
 * network of IPv6, at the pace of a single machine whose line carries half a gigabit a second: over loopback, more would come and go at the
 * speed of memory.
 */
export const attacks: Readonly<Record<string, Attack>> = {
  broadcasts: floodTopic,
  chunks: uploadChunks,
  embeds: nestEmbeds,
  sizes: renderSizes,
  bodies: holdBodies,
  sockets: holdSockets,
  accounts: makeAccounts,
  passwords: guessPasswords,
  codes: guessCodes,
  ipv6: guessFromNetwork,
  support: writeToSupport,
  messages: writeToStrangers,
  uploads: openUploads,
  json: sendDeepJson,
  pages: renderPages,
  feeds: readFeeds,
}

/** 60 sockets in one public topic, 83 broadcasts a second each. A closed socket connects again. */
async function floodTopic({ url, anonKey }: Target, stop: AbortSignal, count: Count) {
  const topic = 'realtime:flooded'
  await runMany(60, stop, count, async () => {
    const client = await Client.open(url, anonKey, from('broadcasts'))
    try {
      await client.ask(topic, 'phx_join', { config: { broadcast: { self: true } } })
      while (client.isOpen && !stop.aborted) {
        const isStuck = client.unsent > 1024 * 1024
        for (let said = 0; said < 5 && !isStuck; said++) {
          client.say(topic, 'broadcast', { type: 'broadcast', event: 'x', payload: { text: 'x'.repeat(100) } })
        }
        await pause(60, stop)
      }
      count(client.isOpen ? 'open to the end' : 'closed')
    } finally {
      client.close()
    }
  })
}

/** A valid picture of one pixel with 400,000 empty chunks, again and again on four connections. */
async function uploadChunks(target: Target, stop: AbortSignal, count: Count) {
  chunkyPng ??= buildChunkyPng(400_000)
  const body = chunkyPng
  const [attacker] = target.attackers
  if (!attacker) return
  const ask = asking(target, 'chunks', stop, count)
  let sent = 0
  await runMany(4, stop, count, async () => {
    const path = `/storage/v1/object/posts/${attacker.userId}/chunks-${process.pid}-${sent++}.png`
    await ask(path, { body, type: 'image/png', token: attacker.token })
    await pause(1_000, stop)
  })
}

/** Posts in profiles in posts, seven times: 185 bytes that ask for more rows than there are. */
async function nestEmbeds(target: Target, stop: AbortSignal, count: Count) {
  const nest = (pairs: number): string => (pairs === 0 ? 'id' : `id,profiles(id,posts(${nest(pairs - 1)}))`)
  const ask = asking(target, 'embeds', stop, count)
  await runMany(8, stop, count, async (number) => {
    await ask(`/rest/v1/posts?select=${nest(number % 2 === 0 ? 7 : 3)}`)
    await pause(250, stop)
  })
}

/** A large public picture in sizes that nobody has asked for yet, on a hundred connections: a megabyte each, as many as the line carries. */
async function renderSizes(target: Target, stop: AbortSignal, count: Count) {
  const [, attacker] = target.attackers
  if (!attacker) return
  const ask = asking(target, 'sizes', stop, count)
  const path = `${attacker.userId}/large-${process.pid}.jpg`
  if (!largePicture) {
    largePicture = takeLargePicture()
    await ask(`/storage/v1/object/avatars/${path}`, {
      body: await largePicture,
      type: 'image/jpeg',
      token: attacker.token,
    })
  }
  const any = (most: number) => 1 + Math.floor(Math.random() * most)
  await runMany(100, stop, count, async () => {
    const size = `width=${any(2500)}&height=${any(2500)}&quality=${19 + any(80)}`
    await ask(`/storage/v1/render/image/public/avatars/${path}?${size}`)
    await pause(1_500, stop)
  })
}

let largePicture: Promise<Buffer> | undefined

function takeLargePicture(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  return sharp({ create: { width: 3000, height: 3000, channels: 3, background: '#888888', noise } })
    .jpeg({ quality: 75 })
    .toBuffer()
}

/** 150 requests whose last ten bytes never come; half of them with an account. */
async function holdBodies({ url, anonKey, attackers: [attacker] }: Target, stop: AbortSignal, count: Count) {
  const { hostname, port } = new URL(url)
  const length = 4_000_000
  const body = Buffer.alloc(length - 10, ' ')
  await runMany(150, stop, count, async (number) => {
    const token = number % 2 === 0 ? anonKey : (attacker?.token ?? anonKey)
    // Every ten seconds on average, for the line's sake: all at once would be 600 megabytes.
    await pause(20_000 * Math.random(), stop)
    const socket = connect({ host: hostname, port: Number(port) })
    const end = () => socket.destroy()
    stop.addEventListener('abort', end, { once: true })
    let answer = ''
    socket.on('error', (error) => {
      answer ||= error.message
    })
    socket.on('data', (data) => {
      answer ||= data.toString('latin1').split(' ')[1] ?? ''
      end()
    })
    socket.write(
      [
        'POST /rest/v1/rpc/search_profiles HTTP/1.1',
        `host: ${hostname}:${port}`,
        `apikey: ${anonKey}`,
        `authorization: Bearer ${token}`,
        `x-forwarded-for: ${from('bodies')}`,
        'content-type: application/json',
        `content-length: ${length}`,
        '\r\n',
      ].join('\r\n'),
    )
    socket.write(body)
    await new Promise((closed) => socket.once('close', closed)) // once() of node:events would reject with an error
    stop.removeEventListener('abort', end)
    if (!stop.aborted || answer) count(answer || 'closed')
  })
}

/** As many websockets as it gets, which say nothing. */
async function holdSockets({ url, anonKey }: Target, stop: AbortSignal, count: Count) {
  await runMany(400, stop, count, async () => {
    const client = await Client.open(url, anonKey, from('sockets'))
    try {
      while (client.isOpen && !stop.aborted) await pause(1_000, stop)
      count(client.isOpen ? 'open to the end' : 'closed')
    } finally {
      client.close()
    }
  })
}

/** Each sign-up is a password to hash. */
async function makeAccounts(target: Target, stop: AbortSignal, count: Count) {
  const ask = asking(target, 'accounts', stop, count)
  await runMany(2, stop, count, async () => {
    await ask('/auth/v1/signup', { body: { email: `${randomUUID()}@example.com`, password: randomUUID() } })
    await pause(100, stop)
  })
}

/** Guesses, each from another address of the one network that a customer of a provider has. */
async function guessFromNetwork(target: Target, stop: AbortSignal, count: Count) {
  const ask = asking(target, 'ipv6', stop, count)
  let host = 0
  await runMany(2, stop, count, async (number) => {
    const headers = { 'x-forwarded-for': `2001:db8:bad:1::${(++host).toString(16)}` }
    const { email } = target
    if (number === 0) await ask('/auth/v1/verify', { body: { type: 'email', email, token: '000000' }, headers })
    else await ask('/auth/v1/token?grant_type=password', { body: { email, password: randomUUID() }, headers })
    await pause(100, stop)
  })
}

async function guessPasswords(target: Target, stop: AbortSignal, count: Count) {
  const ask = asking(target, 'passwords', stop, count)
  await runMany(2, stop, count, async () => {
    const body = { email: target.email, password: `guess ${Math.random()}` }
    await ask('/auth/v1/token?grant_type=password', { body })
    await pause(100, stop)
  })
}

async function guessCodes(target: Target, stop: AbortSignal, count: Count) {
  const ask = asking(target, 'codes', stop, count)
  await runMany(2, stop, count, async () => {
    const token = String(Math.floor(Math.random() * 1e6)).padStart(6, '0')
    await ask('/auth/v1/verify', { body: { type: 'email', email: target.email, token } })
    await pause(100, stop)
  })
}

/** Single requests, and now and then two thousand in one. */
async function writeToSupport(target: Target, stop: AbortSignal, count: Count) {
  const ask = asking(target, 'support', stop, count)
  const request = { name: 'Nobody', email: 'nobody@example.com', subject: 'Help', message: 'x'.repeat(1_000) }
  await runMany(2, stop, count, async (number) => {
    await ask('/rest/v1/support_requests', {
      body: number === 0 ? Array.from({ length: 2_000 }, () => request) : request,
    })
    await pause(number === 0 ? 2_000 : 200, stop)
  })
}

async function writeToStrangers(target: Target, stop: AbortSignal, count: Count) {
  const ask = asking(target, 'messages', stop, count)
  const [, , attacker] = target.attackers
  if (!attacker) return
  let next = 0
  await runMany(4, stop, count, async () => {
    const { id: recipient } = pick(target.strangers, next++)
    const body = { sender_id: attacker.profileId, recipient_id: recipient, content: 'Look here', is_paid: false }
    await ask('/rest/v1/messages', { body, token: attacker.token })
    await pause(100, stop)
  })
}

/** Uploads of a gigabyte that are opened and never sent. */
async function openUploads(target: Target, stop: AbortSignal, count: Count) {
  const ask = asking(target, 'uploads', stop, count)
  const [attacker] = target.attackers
  if (!attacker) return
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  let opened = 0
  await runMany(2, stop, count, async () => {
    const name = `${attacker.userId}/open-${process.pid}-${opened++}.mp4`
    await ask('/storage/v1/upload/resumable', {
      body: '',
      token: attacker.token,
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': String(1024 ** 3),
        'upload-metadata': `bucketName ${base64('posts')},objectName ${base64(name)},contentType ${base64('video/mp4')}`,
      },
    })
    await pause(200, stop)
  })
}

/** Four megabytes of brackets, with and without an account. */
async function sendDeepJson(target: Target, stop: AbortSignal, count: Count) {
  const ask = asking(target, 'json', stop, count)
  const body = Buffer.alloc(4_000_000, '[')
  await runMany(2, stop, count, async (number) => {
    const [attacker] = target.attackers
    const token = number === 0 ? undefined : attacker?.token
    await ask('/rest/v1/support_requests', { body, type: 'application/json', ...(token && { token }) })
    await pause(1_000, stop)
  })
}

/** Documents that nobody has rendered yet, and the pages of one creator after another. */
async function renderPages(target: Target, stop: AbortSignal, count: Count) {
  const ask = asking(target, 'pages', stop, count)
  let next = 0
  await runMany(16, stop, count, async (number) => {
    const { username } = pick(target.strangers, next++)
    await ask(number % 2 === 0 ? `/explore?category=${randomUUID()}` : `/profile/${username}`, {
      headers: browserHeaders,
    })
    await pause(100, stop)
  })
}

/** As browsers ask for a page. */
const browserHeaders = { accept: 'text/html', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }

/** The feeds, cards, and sharing pictures of one creator after another. */
async function readFeeds(target: Target, stop: AbortSignal, count: Count) {
  const ask = asking(target, 'feeds', stop, count)
  let next = 0
  await runMany(16, stop, count, async () => {
    const { username } = pick(target.strangers, next++)
    const page = encodeURIComponent(`${target.url}/profile/${username}`)
    const paths = [
      `/profile/${username}/feed.xml`,
      `/profile/${username}/feed.json`,
      `/card/profile/${username}.jpg`,
      `/oembed?url=${page}`,
    ]
    for (const path of paths) await ask(path)
    await pause(100, stop)
  })
}

const pick = <Item>(items: readonly Item[], number: number) => items[number % items.length] as Item

/** So many who do the same again and again until they are stopped. That a connection is refused or broken is an answer too. */
async function runMany(size: number, stop: AbortSignal, count: Count, round: (number: number) => Promise<void>) {
  const numbers = Array.from({ length: size }, (_, number) => number)
  await forEach(numbers, size, async (number) => {
    while (!stop.aborted) {
      await round(number).catch((error: Error) => stop.aborted || count(error.message))
      await pause(50, stop) // a refusal is quick, and an attacker who only asked again would measure themselves
    }
  })
}

type Request = {
  readonly body?: unknown
  readonly type?: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
}

function asking({ url, anonKey }: Target, attack: string, stop: AbortSignal, count: Count) {
  return async (path: string, { body, type, token, headers }: Request = {}) => {
    const isReady = typeof body === 'string' || Buffer.isBuffer(body)
    try {
      const response = await fetch(`${url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          apikey: anonKey,
          'x-forwarded-for': from(attack),
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && (type ?? !isReady) && { 'content-type': type ?? 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isReady ? (body as string | Buffer<ArrayBuffer>) : JSON.stringify(body) }),
        signal: AbortSignal.any([stop, AbortSignal.timeout(patienceMs)]),
      })
      await response.arrayBuffer()
      count(String(response.status))
    } catch (error) {
      if (!stop.aborted)
        count((error as Error).name === 'TimeoutError' ? `nothing in ${patienceMs / 1000} s` : 'closed')
    }
  }
}

/** Of a network for documentation (RFC 5737): each attack that does not say otherwise has one address. */
const from = (attack: string) => `203.0.113.${Object.keys(attacks).indexOf(attack) + 1}`

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined)

let chunkyPng: Buffer | undefined

function buildChunkyPng(chunks: number): Buffer {
  const header = Buffer.from('00000001000000010802000000', 'hex') // one pixel, eight bits, RGB
  const empty = buildChunk('teSt', Buffer.alloc(0))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    buildChunk('IHDR', header),
    ...Array.from({ length: chunks }, () => empty),
    buildChunk('IDAT', deflateSync(Buffer.alloc(4))),
    buildChunk('IEND', Buffer.alloc(0)),
  ])
}

function buildChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}
