import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyCompress from '@fastify/compress'
import fastifyStatic from '@fastify/static'
import { isScreen } from '@ovation/contract/screens'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { DoorOptions } from '../services.ts'

const directory = fileURLToPath(new URL('../../web/dist', import.meta.url))

/**
 * The built web app at `/`. Every screen's address answers with the same document; an address that is no screen does too, with
 * status 404, and the app shows its not-found screen (404-01).
 */
export const webApp: FastifyPluginAsync<DoorOptions> = async (app) => {
  await app.register(fastifyCompress, { threshold: 1024, encodings: ['br', 'gzip'] })
  await app.register(fastifyStatic, {
    root: directory,
    index: false,
    setHeaders(response, path) {
      // Built files carry their hash in their name; what has none is asked for anew.
      const hashed = path.includes('/assets/')
      response.header('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.get('/', (_request, reply) => sendApp(reply))
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    // A file that is gone, e.g. of an older build, is no screen: a browser that waits for a script can't use a page.
    if (!isPage || path.startsWith('/assets/')) return reply.status(404).send({ message: `No such path: ${path}` })
    return sendApp(reply.status(isScreen(path) ? 200 : 404))
  })
}

/** The first start listens while the app is still being built. */
function sendApp(reply: FastifyReply) {
  if (existsSync(join(directory, 'index.html'))) return reply.sendFile('index.html')
  return reply
    .status(503)
    .header('Retry-After', '2')
    .type('text/plain')
    .send('The web app is being built. Try again in a moment.')
}
