import { existsSync, mkdirSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiOptions } from './api.ts'
import type { DocumentHead } from './app-document.ts'
import { compressedAnswers } from './compress.ts'
import { addDomainCheck, CustomDomains } from './custom-domains.ts'
import type { Services } from './services.ts'
import { DocumentChooser, pathOf } from './visitor-pages/document-chooser.ts'

const builtApp = fileURLToPath(new URL('../../web/dist', import.meta.url))

type Options = ApiOptions<Services> & {
  /** Everything that responds on this origin, for what pages for visitors read. Without it, the browser renders all screens. */
  readonly handle?: RequestListener
  readonly directory?: string
  /** What search engines and other sites read of a path (public-pages). Never rejects. */
  readonly readHead?: (request: FastifyRequest, path: string) => Promise<DocumentHead>
}

/**
 * The built web app at `/`. Every screen's path returns the same document. Unknown paths do too, with
 * status 404, and the app shows its not-found screen (404-01).
 */
export const webApp: FastifyPluginAsync<Options> = async (
  app,
  { services, handle, directory = builtApp, readHead },
) => {
  mkdirSync(directory, { recursive: true }) // the first start is still building it
  const documents = new DocumentChooser({ services, directory, handle, readHead })
  const domains = services.hasProductSchema && services.config.customDomains ? new CustomDomains(services) : undefined
  app.addHook('onClose', () => documents.close())
  // Not a route: one that matches every path would hide the APIs' own 404s.
  await app.register(compressedAnswers, { compressor: services.compressor, minBytes: 1000 })
  // The build stores compressed versions next to each file.
  await app.register(fastifyStatic, { root: directory, serve: false, cacheControl: false, preCompressed: true })
  app.get('/', async (request, reply) => {
    const username = await domains?.usernameAt(request.headers.host)
    return username ? documents.sendAtDomain(request, reply, username) : documents.sendScreen(request, reply)
  })
  if (domains) addDomainCheck(app, domains)
  // Browsers request it when a user opens an API response or an email's link directly.
  app.get('/favicon.ico', (_request, reply) =>
    existsSync(join(directory, 'icon-192.png')) ? sendFile(reply, '/icon-192.png') : reply.status(404).send(),
  )
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request)
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    if (isPage && isFile(path) && existsSync(join(directory, path))) return sendFile(reply, path)
    // A missing file, such as one of an older build, isn't a screen: a browser that waits for a script can't use a page.
    if (!isPage || path.startsWith('/assets/')) return reply.status(404).send({ message: `No such path: ${path}` })
    if (await domains?.usernameAt(request.headers.host)) return documents.sendToSite(reply, request.url)
    return documents.sendScreen(request, reply)
  })
}

/** Built files have plain ASCII names, at the top or one folder down; other paths never reach the disk. */
function isFile(path: string): boolean {
  return /^(\/[\w-]+)?\/[\w-][\w.-]*\.\w+$/.test(path)
}

function sendFile(reply: FastifyReply, path: string) {
  // Built files have their hash in their name; files without one are revalidated.
  const hashed = path.startsWith('/assets/')
  return reply.header('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache').sendFile(path)
}
