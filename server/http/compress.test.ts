import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError, parseConfig } from '../config.ts'
import { type Library, openLibrary } from '../rest/testing/library.ts'
import { startGateway, type TestGateway } from '../testing/gateway.ts'
import { Compressor, compressedAnswers, pickEncoding } from './compress.ts'
import { sendHtml } from './send-html.ts'

type Raw = { readonly status: number | undefined; readonly header: (name: string) => unknown; readonly body: Buffer }

/** The raw bytes from the network. */
function ask(url: string, headers: Record<string, string>, method = 'GET', body?: string): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, async (answer) => {
      const { statusCode: status } = answer
      resolve({ status, header: (name) => answer.headers[name], body: await buffer(answer) })
    })
    sent.on('error', reject).end(body)
  })
}

const unpack = { br: brotliDecompressSync, gzip: gunzipSync }

it.each([
  ['', undefined],
  ['identity', undefined],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['GZIP;Q=1, br;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0.0', undefined],
  ['*', 'br'],
  ['*;q=0.5, br;q=0', 'gzip'],
])('Accept-Encoding %j selects %s', (accepted, encoding) => {
  expect(pickEncoding(accepted)).toBe(encoding)
})

describe('rows', () => {
  let library: Library
  beforeAll(async () => {
    library = await openLibrary()
    await library.gateway.query(`
      create function library.many(chars int) returns text language sql stable as $$ select repeat('ü', chars / 2) $$;
      create function library.packed() returns text language plpgsql volatile as $$
      begin
        perform set_config('response.headers', '[{"Content-Encoding":"identity"},{"Vary":"Origin"}]', true);
        return repeat('x', 9000);
      end $$;
      grant execute on function library.many, library.packed to anon, authenticated;
      notify pgrst, 'reload schema'`)
  })
  afterAll(() => library.close())

  const ways = [
    ['of a plain name', '/rpc/many'],
    ['of an escaped name', '/rpc/m%61ny'],
  ] as const
  const many = (path: string, chars: number, accepted?: string) =>
    ask(`${library.url}${path}?chars=${chars}`, {
      apikey: library.gateway.secrets.anonKey,
      ...(accepted !== undefined && { 'accept-encoding': accepted }),
    })

  describe.each(ways)('%s', (_, path) => {
    it.each(['br', 'gzip'] as const)('of 4 kB and more are sent as %s', async (encoding) => {
      const { status, header, body } = await many(path, 50_000, encoding)
      expect(status).toBe(200)
      expect(header('content-encoding')).toBe(encoding)
      expect(header('vary')).toBe('Accept-Encoding')
      expect(header('content-length')).toBe(String(body.length))
      expect(body.length).toBeLessThan(1000)
      expect(unpack[encoding](body).toString()).toBe(`"${'ü'.repeat(25_000)}"`)
    })

    it('are sent uncompressed if the client accepts nothing else, with a Vary header', async () => {
      for (const accepted of [undefined, 'identity', 'br;q=0']) {
        const { header, body } = await many(path, 50_000, accepted)
        expect(header('content-encoding')).toBeUndefined()
        expect(header('vary')).toBe('Accept-Encoding')
        expect(body.toString()).toBe(`"${'ü'.repeat(25_000)}"`)
      }
    })

    it('that are small are sent uncompressed to every client', async () => {
      const { header, body } = await many(path, 4000, 'br, gzip')
      expect([header('content-encoding'), header('vary')]).toEqual([undefined, undefined])
      expect(body).toHaveLength(4002)
    })
  })

  it('with an encoding set by SQL are left alone', async () => {
    const headers = {
      apikey: library.gateway.secrets.anonKey,
      'accept-encoding': 'br',
      'content-type': 'application/json',
    }
    const { header, body } = await ask(`${library.url}/rpc/packed`, { ...headers, 'content-length': '2' }, 'POST', '{}')
    expect([header('content-encoding'), header('vary'), body.length]).toEqual(['identity', 'Origin', 9002])
  })
})

describe('beside rows', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startGateway({ env: { HTTP_COMPRESS_MIN_BYTES: '30' } })
  })
  afterAll(() => gateway.close())

  const headers = () => ({ apikey: gateway.secrets.serviceRoleKey, 'accept-encoding': 'br' })

  it.each([
    ['the description of the API', '/rest/v1/', 'GET'],
    ["the app's settings", '/app-config.json', 'GET'],
    ["a function's answer", '/functions/v1/absent', 'POST'],
  ])('%s is compressed', async (_, path, method) => {
    const { header, body } = await ask(`${gateway.url}${path}`, headers(), method)
    expect([header('content-encoding'), header('vary')]).toEqual(['br', 'Accept-Encoding'])
    expect(header('content-length')).toBe(String(body.length))
    expect(JSON.parse(brotliDecompressSync(body).toString())).toBeTypeOf('object')
  })

  it("a response of auth/v1, which may hold a token, isn't compressed", async () => {
    const { status, header } = await ask(`${gateway.url}/auth/v1/settings`, headers())
    expect([status, header('content-encoding')]).toEqual([200, undefined])
  })
})

it("a response isn't compressed while four others are", async () => {
  const compressor = new Compressor(1, pino({ level: 'silent' }))
  const made = await Promise.all(Array.from({ length: 5 }, () => compressor.compress('x'.repeat(5000), 'br')))
  expect(made.map((compressed) => compressed?.encoding)).toEqual(['br', 'br', 'br', 'br', undefined])
  expect((await compressor.compress('x', 'br'))?.encoding).toBe('br')
})

describe('a page', () => {
  const html = `<!doctype html>${'<p>words</p>'.repeat(200)}`
  async function page(minBytes: number, status = 200) {
    const app = fastify()
    const compressor = new Compressor(minBytes, pino({ level: 'silent' }))
    await app.register(compressedAnswers, { compressor, minBytes: 1000 })
    app.get('/', (_request, reply) => sendHtml(reply.status(status), html))
    return (headers: Record<string, string> = {}) => app.inject({ url: '/', headers })
  }

  it('is compressed, unless the setting is 0', async () => {
    const answer = await (await page(4096))({ 'accept-encoding': 'gzip, br' })
    expect(answer.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(html)
    const whole = await (await page(0))({ 'accept-encoding': 'gzip, br' })
    expect([whole.headers['content-encoding'], whole.body]).toEqual([undefined, html])
  })

  it('is answered with 304 if the client has it, in any encoding', async () => {
    const get = await page(4096)
    const { headers } = await get({ 'accept-encoding': 'br' })
    const tag = String(headers.etag)
    expect(tag).toMatch(/^W\/"[\w-]{27}"$/)
    expect((await get()).headers.etag).toBe(tag)
    for (const known of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const answer = await get({ 'if-none-match': known })
      expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, '', tag])
      expect([answer.headers.vary, answer.headers['cache-control']]).toEqual(['Accept-Encoding', 'no-cache'])
    }
    expect((await get({ 'if-none-match': '"other"' })).statusCode).toBe(200)
  })

  it('of an unknown path has no ETag', async () => {
    const answer = await (await page(4096, 404))({ 'if-none-match': '*' })
    expect([answer.statusCode, answer.headers.etag, answer.body]).toEqual([404, undefined, html])
  })
})

it('a bad HTTP_COMPRESS_MIN_BYTES stops the start with one sentence that names it', () => {
  expect(() => parseConfig({ HTTP_COMPRESS_MIN_BYTES: 'all' })).toThrow(
    new ConfigError('HTTP_COMPRESS_MIN_BYTES must be a whole number from 0 to 1000000000, not "all".'),
  )
})
