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
import { findProfileRedirect, sendRedirect } from './profile-redirects.ts'
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
  /** HTML that replaces the document's title: what search engines and other sites read of the path (public-pages). Never rejects. */
  readonly readHead?: (request: FastifyRequest) => Promise<string>
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
  const screenFiles = openScreenFiles(directory)
  const index = join(directory, 'index.html')
  const appConfig = () => ({ ...describeApp(services), supabaseUrl: services.siteUrl() })
  const pages = handle && new VisitorPages({ directory, handle, appConfig, log: services.log })
  app.addHook('onClose', () => pages?.close())
  // Not a route: one that matches every path would hide the APIs' own 404s.
  await app.register(compressedAnswers, { compressor: services.compressor, minBytes: 1000 })
  // The build stores compressed versions next to each file.
  await app.register(fastifyStatic, { root: directory, serve: false, cacheControl: false, preCompressed: true })
  app.get('/', (request, reply) => sendScreen(request, reply))
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
    const redirect = await findProfileRedirect(services, path)
    if (redirect) return sendRedirect(reply, redirect)
    return findScreen(path) ? sendScreen(request, reply) : sendApp(request, reply.status(404))
  })

  /** The app's document, with what a visitor sees first. */
  async function sendScreen(request: FastifyRequest, reply: FastifyReply) {
    const page = existsSync(index) ? await readPage(request) : null
    if (!page) return sendApp(request, reply)
    const document = await readApp(request)
    const styles = screenStyles(screenFiles(), renderedPath(request))
    reply.header('Vary', 'Cookie, User-Agent, Sec-CH-UA-Mobile')
    const styled = document.replace('</head>', () => `${styles}</head>`)
    return sendHtml(reply, withVisitorPage(styled, page))
  }

  async function readPage(request: FastifyRequest) {
    const { raw, url, headers } = request
    if (!services.hasProductSchema || /(?:^|;\s*)signed-in=1/.test(headers.cookie ?? '')) return null
    const isPhone = headers['sec-ch-ua-mobile'] === '?1' || /\bMobi/.test(headers['user-agent'] ?? '')
    const address = clientAddress(raw, services.trustsProxy)
    const client = clientKey(raw, services.trustsProxy)
    const rendered = pathOf(request) === renderedPath(request) ? url : renderedPath(request)
    return pages?.read({ url: rendered, isPhone, address, client }) ?? null
  }

  /** The first start listens while the app is still being built. */
  async function sendApp(request: FastifyRequest, reply: FastifyReply) {
    if (existsSync(index)) return sendHtml(reply, await readApp(request))
    return reply.status(503).header('Retry-After', '2').type('text/html; charset=utf-8').send(beingBuilt)
  }

  /** The one document, with the head of the requested path, and links to the files of its screen. */
  async function readApp(request: FastifyRequest): Promise<string> {
    const files = screenFiles()
    const [html, head] = await Promise.all([readFile(index, 'utf8'), readHead?.(request)])
    // Functions, because a text may contain `$&`, which a replacement string would interpret.
    return html
      .replace('<head>', () => `<head>${firstFiles(files)}`)
      .replace(/<title>[^<]*<\/title>/, (title) => head ?? title)
      .replace('</head>', () => `${screenLinks(files, pathOf(request))}</head>`)
  }
}

/** Home is for members: what a visitor sees there is the front page. */
const renderedPath = (request: FastifyRequest): string =>
  pathOf(request) === paths.home ? paths.auth : pathOf(request)

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? '/'

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
