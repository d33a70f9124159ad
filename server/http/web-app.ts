import { existsSync, mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyCompress from '@fastify/compress'
import fastifyStatic from '@fastify/static'
import { isScreen } from '@ovation/contract/screens'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { DoorOptions, Services } from '../services.ts'
import { readLinkPreview, withLinkPreview } from './link-preview.ts'

const directory = fileURLToPath(new URL('../../web/dist', import.meta.url))

/**
 * The built web app at `/`. Every screen's address answers with the same document; an address that is no screen does too, with
 * status 404, and the app shows its not-found screen (404-01).
 */
export const webApp: FastifyPluginAsync<DoorOptions> = async (app, { services }) => {
  await app.register(fastifyCompress, { threshold: 1024, encodings: ['br', 'gzip'] })
  mkdirSync(directory, { recursive: true }) // the first start is still building it
  // Not served as a route: one that matches every address would swallow the doors' own 404s.
  await app.register(fastifyStatic, { root: directory, serve: false, cacheControl: false })
  app.get('/', (_request, reply) => sendApp(reply))
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    if (isPage && isFile(path)) return sendFile(reply, path)
    // A file that is gone, e.g. of an older build, is no screen: a browser that waits for a script can't use a page.
    if (!isPage || path.startsWith('/assets/')) return reply.status(404).send({ message: `No such path: ${path}` })
    if (isShared.test(path)) return sendAppWithPreview(services, reply, path)
    return sendApp(reply.status(isScreen(path) ? 200 : 404))
  })
}

/** The addresses that people pass on, and that other sites show a preview of. */
const isShared = /^\/(post|profile)\/[^/]+$/

async function sendAppWithPreview(services: Services, reply: FastifyReply, path: string) {
  const file = join(directory, 'index.html')
  if (!services.isOurs || !existsSync(file)) return sendApp(reply)
  // The page works without a preview, so a database that does not answer is no reason to have no page.
  const preview = await readLinkPreview(services, path).catch((error: unknown) => {
    services.log.warn({ err: error }, 'a link preview could not be read')
    return null
  })
  const html = await readFile(file, 'utf8')
  return reply
    .header('Cache-Control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(withLinkPreview(html, preview, services.siteUrl(), services.config.operator.productName))
}

/** Built files are named in plain ASCII, at the top or one folder down; nothing else is looked for on the disk. */
function isFile(path: string): boolean {
  return /^(\/[\w-]+)?\/[\w-][\w.-]*\.\w+$/.test(path) && existsSync(join(directory, path))
}

function sendFile(reply: FastifyReply, path: string) {
  // Built files carry their hash in their name; what has none is asked for anew.
  const hashed = path.startsWith('/assets/')
  return reply.header('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache').sendFile(path)
}

/** The first start listens while the app is still being built. */
function sendApp(reply: FastifyReply) {
  if (existsSync(join(directory, 'index.html'))) return sendFile(reply, '/index.html')
  return reply
    .status(503)
    .header('Retry-After', '2')
    .type('text/plain')
    .send('The web app is being built. Try again in a moment.')
}
