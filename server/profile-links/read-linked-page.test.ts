import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { readLinkedPage } from './read-linked-page.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
})

/** @returns the address of a site that answers like this, and the paths that were requested. */
async function serve(answer: Parameters<typeof createServer>[1]) {
  const requested: (string | undefined)[] = []
  const server = createServer((request, response) => {
    requested.push(request.url)
    answer?.(request, response)
  })
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), requested }
}
const html = { 'content-type': 'text/html; charset=utf-8' }
const options = { isGuarded: false, siteUrl: 'https://ovation.example' }
const read = (url: URL) => readLinkedPage(url, options)

it('reads HTML, and of a large page the beginning', async () => {
  const { url } = await serve((_, response) => response.writeHead(200, html).end(`<p>Hi</p>${' '.repeat(2 ** 20)}`))
  const page = await read(url)
  expect(page.html).toMatch(/^<p>Hi<\/p>/)
  expect(page.html).toHaveLength(512 * 1024)
})

it('says who reads the page', async () => {
  const { url } = await serve((request, response) => response.writeHead(200, html).end(request.headers['user-agent']))
  expect((await read(url)).html).toBe('OvationLinkCheck/1.0 (+https://ovation.example)')
})

it('follows redirects within the site, three at most', async () => {
  const { url, requested } = await serve((request, response) => {
    const step = Number(request.url?.slice(1))
    if (step === 0) response.writeHead(200, html).end('<p>Here</p>')
    else response.writeHead(301, { location: `/${step - 1}` }).end()
  })
  expect(await read(new URL('/3', url))).toEqual({ url: new URL('/0', url), html: '<p>Here</p>' })
  expect(requested).toEqual(['/3', '/2', '/1', '/0'])
  await expect(read(new URL('/4', url))).rejects.toThrow('more than 3 times')
})

it('follows no redirect to another site, which its owner would not vouch for', async () => {
  const other = await serve((_, response) => response.writeHead(200, html).end())
  for (const location of [other.url.href, 'https://example.com/', 'file:///etc/passwd', 'http://[']) {
    const { url } = await serve((_, response) => response.writeHead(302, { location }).end())
    await expect(read(url), location).rejects.toThrow('another site')
  }
  expect(other.requested).toEqual([])
})

it.each([
  ['another status', 404, html, 'answered 404'],
  ['a redirect to nowhere', 302, {}, 'answered 302'],
  ['another kind of file', 200, { 'content-type': 'application/json' }, 'no HTML'],
  ['a file without a kind', 200, {}, 'no HTML'],
])('rejects %s', async (_what, status, headers, message) => {
  const { url } = await serve((_, response) => response.writeHead(status, headers).end('<p>Hi</p>'))
  await expect(read(url)).rejects.toThrow(message)
})

it('connects in production only over https, to the usual port of a public address, and never as a user', async () => {
  const { url, requested } = await serve((_, response) => response.writeHead(200, html).end())
  for (const address of [url.href, 'http://example.com/', 'https://example.com:8443/', 'https://ada:pw@example.com/'])
    await expect(readLinkedPage(new URL(address), { ...options, isGuarded: true }), address).rejects.toThrow(
      "isn't an address with https",
    )
  for (const address of ['https://127.0.0.1/', 'https://localhost/', 'https://[::1]/', 'https://169.254.169.254/'])
    await expect(readLinkedPage(new URL(address), { ...options, isGuarded: true }), address).rejects.toThrow(
      "isn't on the public internet",
    )
  expect(requested).toEqual([])
})
