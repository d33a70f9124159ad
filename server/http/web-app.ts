import { existsSync, mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { paths } from '@ovation/contract/paths'
import { findScreen } from '@ovation/contract/screens'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiOptions } from './api.ts'
import { describeApp } from './app-config.ts'
import { clientAddress, clientKey } from './client-address.ts'
import { compressedAnswers } from './compress.ts'
import { readLinkPreview, withLinkPreview } from './link-preview.ts'
import { firstFiles, openScreenFiles, screenLinks, screenStyles } from './screen-files.ts'
import { sendHtml } from './send-html.ts'
import type { Services } from './services.ts'
import { withVisitorPage } from './visitor-pages/visitor-document.ts'
import { VisitorPages } from './visitor-pages/visitor-pages.ts'

const builtApp = fileURLToPath(new URL('../../web/dist', import.meta.url))

type Options = ApiOptions<Services> & {
  /** Everything that responds on this origin, for what pages for visitors read. Without it, the browser renders all screens. */
  readonly handle?: RequestListener
  readonly directory?: string
}

/**
 * The built web app at `/`. Every screen's path returns the same document. Unknown paths do too, with
 * status 404, and the app shows its not-found screen (404-01).
 */
export const webApp: FastifyPluginAsync<Options> = async (app, { services, handle, directory = builtApp }) => {
  mkdirSync(directory, { recursive: true }) // the first start is still building it
  const screenFiles = openScreenFiles(directory)
  const index = join(directory, 'index.html')
  const appConfig = () => ({ ...describeApp(services), supabaseUrl: services.siteUrl() })
  const pages = handle && new VisitorPages({ directory, handle, appConfig, log: services.log })
  app.addHook('onClose', () => pages?.close())
  // Not a route: one that matches every path would hide the APIs' own 404s.
  await app.register(compressedAnswers, { compressor: services.compressor, minBytes: 1000 })
  // The build stores compressed versions next to each file.
  await app.register(fastifyStatic, { root: directory, serve: false, cacheControl: false, preCompressed: true })
  app.get('/', (_request, reply) => sendScreen(reply, '/'))
  // Browsers request it when a user opens an API response or an email's link directly.
  app.get('/favicon.ico', (_request, reply) =>
    existsSync(join(directory, 'icon-192.png')) ? sendFile(reply, '/icon-192.png') : reply.status(404).send(),
  )
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    if (isPage && isFile(path) && existsSync(join(directory, path))) return sendFile(reply, path)
    // A missing file, such as one of an older build, isn't a screen: a browser that waits for a script can't use a page.
    if (!isPage || path.startsWith('/assets/')) return reply.status(404).send({ message: `No such path: ${path}` })
    const screen = findScreen(path)
    return screen ? sendScreen(reply, path) : sendApp(reply.status(404), path)
  })

  async function sendScreen(reply: FastifyReply, path: string) {
    const screen = findScreen(path)
    if (!services.hasProductSchema || !existsSync(index)) return sendApp(reply, path)
    // The page works without a preview, so it is served even if the database doesn't respond.
    const [preview, page] = await Promise.all([
      screen?.hasPreview &&
        readLinkPreview(services, path).catch((error: unknown) => {
          services.log.warn({ err: error }, 'link preview could not be read')
          return null
        }),
      readPage(reply.request, path),
    ])
    const document = await readApp(path)
    const { productName } = services.config.operator
    const described = withLinkPreview(document, preview || null, services.siteUrl(), productName)
    if (!page) return sendHtml(reply, described)
    const styles = screenStyles(screenFiles(), path === '/' ? paths.auth : path)
    reply.header('Vary', 'Cookie, User-Agent, Sec-CH-UA-Mobile')
    return sendHtml(
      reply,
      withVisitorPage(
        described.replace('</head>', () => `${styles}</head>`),
        page,
      ),
    )
  }

  /** What a visitor sees first at this path: at home, which is for members, the front page. */
  async function readPage({ raw, url, headers }: FastifyRequest, path: string) {
    if (/(?:^|;\s*)signed-in=1/.test(headers.cookie ?? '')) return null
    const isPhone = headers['sec-ch-ua-mobile'] === '?1' || /\bMobi/.test(headers['user-agent'] ?? '')
    const address = clientAddress(raw, services.trustsProxy)
    const client = clientKey(raw, services.trustsProxy)
    return pages?.read({ url: path === '/' ? paths.auth : url, isPhone, address, client }) ?? null
  }

  /** The first start listens while the app is still being built. */
  async function sendApp(reply: FastifyReply, path: string) {
    if (existsSync(index)) return sendHtml(reply, await readApp(path))
    return reply.status(503).header('Retry-After', '2').type('text/html; charset=utf-8').send(beingBuilt)
  }

  /** The one document, with links to the files of the requested screen. */
  async function readApp(path: string): Promise<string> {
    const files = screenFiles()
    const html = await readFile(index, 'utf8')
    return html
      .replace('<head>', () => `<head>${firstFiles(files)}`)
      .replace('</head>', () => `${screenLinks(files, path)}</head>`)
  }
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

const beingBuilt = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<title>One moment</title></head><body><p>The web app is being built. This page opens it as soon as it's there.</p></body></html>`
