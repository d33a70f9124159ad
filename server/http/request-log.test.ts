import Fastify from 'fastify'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { serverOptions } from './fastify-options.ts'
import { logRequests, requestIds } from './request-log.ts'
import { observedResponses, ResponseObservers } from './response-observers.ts'

async function ask(level: 'info' | 'warn') {
  const lines: string[] = []
  const log = pino({ level }, { write: (line: string) => lines.push(line) })
  const app = Fastify(serverOptions({ log, trustsProxy: () => false }))
  const observers = new ResponseObservers()
  logRequests(log, observers)
  await app.register(observedResponses, { observers })
  await app.register(requestIds)
  app.get('/storage/v1/file', (_request, reply) => reply.code(403).send({ error: 'no' }))
  const headers = { authorization: 'Bearer secret-token', apikey: 'secret-key', cookie: 'secret=1' }
  const answer = await app.inject({ url: '/storage/v1/file?token=secret-link', headers })
  await app.close()
  return { lines, id: answer.headers['x-request-id'] }
}

it("writes one line of JSON for a response, with the response's id, and nothing that may hold a key", async () => {
  const { lines, id } = await ask('info')
  expect(id).toBeTruthy()
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      requestId: id,
      method: 'GET',
      path: '/storage/v1/file',
      status: 403,
      ms: expect.any(Number),
      address: '127.0.0.1',
    }),
  ])
  expect(lines.join('')).not.toMatch(/secret/)
})

it("gives the response its id even if requests aren't logged", async () => {
  const { lines, id } = await ask('warn')
  expect(id).toBeTruthy()
  expect(lines).toEqual([])
})

/** Sends requests to an app with one route, and reads what the log says. */
async function logOf(route: string, urls: readonly string[]) {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) })
  const app = Fastify(serverOptions({ log, trustsProxy: () => false }))
  const observers = new ResponseObservers()
  logRequests(log, observers)
  await app.register(observedResponses, { observers })
  app.get(route, () => 'ok')
  app.setNotFoundHandler((_request, reply) => reply.status(404).send())
  for (const url of urls) await app.inject({ url })
  await app.close()
  return { text: lines.join(''), paths: lines.map((line) => JSON.parse(line).path) }
}

it('has no line for a node that is well, however often a proxy asks', async () => {
  expect((await logOf('/health/ready', ['/health/ready', '/health/unknown'])).paths).toEqual(['/health/unknown'])
})

it('leaves out the token of a link, which opens a file [SCALE-06]', async () => {
  const { paths } = await logOf('/storage/v1/links/:token/object/:bucket/*', [
    '/storage/v1/links/eyJhbGci.c0ffee.-x_/object/posts/a.jpg?download',
    '/storage/v1/link/eyJhbGci.c0ffee.-x_/object/posts/a.jpg',
  ])
  expect(paths).toEqual(['/storage/v1/links/:token/object/posts/a.jpg', '/storage/v1/link/:token/object/posts/a.jpg'])
})

it.each([
  ['the address of a private feed', '/feeds/c0ffee.xml'],
  ['the same, written in another way', '/%66eeds/c0ffee.json?x=1'],
  ['one that is misspelled', '/Feeds/c0ffee.xml/'],
])('leaves out %s, which is a secret [RSS-02]', async (_what, url) => {
  const { text, paths } = await logOf('/feeds/:file', [url])
  expect(paths).toEqual(['/feeds/:file'])
  expect(text).not.toMatch(/c0ffee/)
})
