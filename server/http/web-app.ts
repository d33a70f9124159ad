import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyCompress from '@fastify/compress'
import fastifyStatic from '@fastify/static'
import { isScreen } from '@ovation/contract/screens'
import type { FastifyPluginAsync } from 'fastify'
import type { DoorOptions } from '../services.ts'

const directory = fileURLToPath(new URL('../../web/dist', import.meta.url))

/**
 * The built web app at `/`. Every screen's address answers with the same document; an address that is no screen does too, with
 * status 404, and the app shows its not-found screen (404-01).
 */
export const webApp: FastifyPluginAsync<DoorOptions> = async (app) => {
  if (!existsSync(join(directory, 'index.html'))) {
    app.setNotFoundHandler((_request, reply) =>
      reply.status(503).type('text/plain').send('The web app is not built: npm run build'),
    )
    return
  }
  await app.register(fastifyCompress, { threshold: 1024, encodings: ['br', 'gzip'] })
  await app.register(fastifyStatic, {
    root: directory,
    wildcard: false,
    index: false,
    setHeaders(response, path) {
      // Built files carry their hash in their name; what has none is asked for anew.
      const hashed = path.includes('/assets/')
      response.header('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.get('/', (_request, reply) => reply.sendFile('index.html'))
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return reply.status(404).send({ message: `No such path: ${path}` })
    }
    return reply.status(isScreen(path) ? 200 : 404).sendFile('index.html')
  })
}
