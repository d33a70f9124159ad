import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { isPublicHost, requestOutside } from './outside-request.ts'

const options = { timeoutMs: 10_000, maxBytes: 100, publicOnly: false }
const servers: Server[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
})

/** @returns the port of a server that answers like this, and the paths that were requested. */
async function serve(answer: Parameters<typeof createServer>[1]) {
  const requested: (string | undefined)[] = []
  const server = createServer((request, response) => {
    requested.push(request.url)
    answer?.(request, response)
  })
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { port: (server.address() as AddressInfo).port, requested }
}

describe('a request to the outside', () => {
  it('sends method, headers, and body, and returns status and body', async () => {
    const { port } = await serve((request, response) => {
      response.statusCode = 201
      response.write(`${request.method} ${request.headers.accept} `)
      request.pipe(response)
    })
    const sent = requestOutside(new URL(`http://127.0.0.1:${port}/`), {
      ...options,
      method: 'POST',
      headers: { accept: 'text/plain' },
      body: Buffer.from('hello'),
    })
    expect(await sent).toEqual({ status: 201, body: 'POST text/plain hello' })
  })

  it('leaves no unchecked connection open for a later request', async () => {
    const { port } = await serve((request, response) => response.end(request.headers.connection))
    expect(await requestOutside(new URL(`http://127.0.0.1:${port}/`), options)).toMatchObject({ body: 'close' })
  })

  it('follows no redirect', async () => {
    const { port, requested } = await serve((_, response) => response.writeHead(302, { location: '/other' }).end())
    expect(await requestOutside(new URL(`http://127.0.0.1:${port}/one`), options)).toMatchObject({
      status: 302,
      location: '/other',
    })
    expect(requested).toEqual(['/one'])
  })

  it('ends when the response is late or too large', async () => {
    const late = await serve((_, response) => response.write('begun'))
    const url = new URL(`http://127.0.0.1:${late.port}/`)
    await expect(requestOutside(url, { ...options, timeoutMs: 200 })).rejects.toThrow("didn't respond within 200 ms")
    const large = await serve((_, response) => response.end('x'.repeat(101)))
    await expect(requestOutside(new URL(`http://127.0.0.1:${large.port}/`), options)).rejects.toThrow('100 bytes')
  })

  it('returns the beginning of a response that is too large, if the caller wants it', async () => {
    const { port } = await serve((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`${'x'.repeat(100)}${'y'.repeat(1_000_000)}`)
    })
    const url = new URL(`http://127.0.0.1:${port}/`)
    expect(await requestOutside(url, { ...options, mayCut: true })).toEqual({
      status: 200,
      body: 'x'.repeat(100),
      contentType: 'text/html',
    })
  })

  it('never connects to the operator’s own network if it has to be public', async () => {
    const { port, requested } = await serve((_, response) => response.end())
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '[::1]'])
      await expect(
        requestOutside(new URL(`http://${host}:${port}/`), { ...options, publicOnly: true }),
        host,
      ).rejects.toThrow("isn't on the public internet")
    expect(requested).toEqual([])
  })
})

describe('a public host', () => {
  it('is no address for special use', () => {
    for (const host of [
      'localhost',
      'api.localhost',
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '169.254.169.254',
      '172.16.0.1',
      '192.0.0.1',
      '192.168.0.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::ffff:10.0.0.1',
      '[::]',
      '[::1]',
      '[64:ff9b::a00:1]',
      '[fd00::1]',
      '[fe80::1]',
      '[ff02::1]',
    ])
      expect(isPublicHost(host), host).toBe(false)
    for (const host of ['fcm.googleapis.com', '142.250.1.1', '[2a00:1450:4001::200a]'])
      expect(isPublicHost(host), host).toBe(true)
  })
})
