import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { type Html, html } from './html.ts'

/** The product's faces, so that paying doesn't seem to happen elsewhere. */
const font = (name: 'fraunces' | 'inter') =>
  readFileSync(
    createRequire(import.meta.url).resolve(`@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`),
  )

const read = (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8')

/** The pages' own files; there is nothing else to load. */
export const assets = {
  'page.css': { type: 'text/css; charset=utf-8', body: read('page.css') },
  'icon.svg': { type: 'image/svg+xml', body: read('icon.svg') },
  'page.js': { type: 'text/javascript; charset=utf-8', body: read('page.js') },
  'fraunces.woff2': { type: 'font/woff2', body: font('fraunces') },
  'inter.woff2': { type: 'font/woff2', body: font('inter') },
} as const

const version = Object.values(assets)
  .reduce((hash, { body }) => hash.update(body), createHash('sha256'))
  .digest('hex')
  .slice(0, 12)

export type Page = {
  title: string
  body: Html
  /** What to type, said in the strip at the top: the part that a stranger needs. */
  hint: Html
  /** The path under which the browser finds the pages: `/sandbox`. */
  base: string
  status?: number
  /** Addresses that a form of the page may lead to, by redirect. */
  targets?: (string | null)[]
}

/** Sends a whole page with the headers that hold it to its own files and forms. */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const origins = (page.targets ?? []).filter((target) => target !== null).map((target) => new URL(target).origin)
  return reply
    .status(page.status ?? 200)
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('x-frame-options', 'DENY')
    .header(
      'content-security-policy',
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action ${["'self'", ...new Set(origins)].join(' ')}`,
    )
    .send(layout(page).text)
}

const layout = ({ title, body, hint, base }: Page): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${base}/assets/icon.svg?v=${version}" type="image/svg+xml">
<link rel="stylesheet" href="${base}/assets/page.css?v=${version}">
<script src="${base}/assets/page.js?v=${version}" defer></script>
</head>
<body>
<aside class="sandbox" aria-label="Sandbox notice"><p><strong>SANDBOX</strong> <span>${hint}</span></p></aside>
${body}
</body>
</html>
`

type Way = { href: string; label: string }

/** A page that says one thing and offers one way on. */
export const messageBody = (heading: string, text: string, way?: Way): Html => html`
<main class="narrow">
<section class="panel message">
<h1>${heading}</h1>
<p>${text}</p>
${way && html`<p><a class="button" href="${way.href}">${way.label}</a></p>`}
</section>
</main>`

/** Back to where the visitor came from, or to the shop's first page when that is not known. */
export function wayBack({ homeUrl, merchant }: Context, from?: string | null): Way | undefined {
  const href = from ?? homeUrl
  return href ? { href, label: `Back to ${merchant}` } : undefined
}

export const cardHint = html`No real money moves. Test card <code>4242 4242 4242 4242</code>, any future date, any CVC.`
export const plainHint = html`Nothing here is real: no money moves and nobody is checked.`
