import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cardTexts } from '@ovation/contract/texts/public-pages'
import type { Config } from '../../config.ts'
import { escapeHtml } from '../../escape-html.ts'
import { filesOrigins } from '../../http/helmet-options.ts'
import { shorten } from '../../plain-text.ts'
import { titleOf } from '../page-title.ts'
import { type Picture, pictureOn, rendered } from '../pictures.ts'
import type { Creator, PostPage, ProductPage, ProfilePage, PublicPage } from '../read-page.ts'
import { addressOn, type Site } from '../site.ts'
import { writeLock, writePlans, writePrice } from './prices.ts'

const styles = readFileSync(new URL('./card.css', import.meta.url), 'utf8')
const stylesHash = createHash('sha256').update(styles).digest('base64')

/** A card runs nothing, loads pictures of this site, and may be shown on any other: unlike every other page (http/helmet-options.ts). */
export const cardPolicy = (config: Pick<Config, 'filesUrl'>): string =>
  [
    "default-src 'none'",
    ["img-src 'self'", ...filesOrigins(config)].join(' '),
    `style-src 'sha256-${stylesHash}'`,
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; ')

const textLength = 280
/** For sharp screens. */
const pictureWidth = 960
const faceSide = 144

/** A post, product, or profile as a small page in a frame on another site. It has no scripts, and every link opens a new tab. */
export function writeCard(page: PublicPage, site: Site): string {
  return writePage(titleOf(page), writeBody(page, site), addressOn(site, page.path))
}

function writeBody(page: PublicPage, site: Site): string[] {
  if (page.kind === 'post') return writePost(page, site)
  return page.kind === 'product' ? writeProduct(page, site) : writeProfile(page, site)
}

/** The card of what visitors can't see, or can't see any more. */
export function writeMissingCard(site: Site): string {
  const { title, message } = cardTexts.notFound
  return writePage(title, [`<h1>${title}</h1>`, `<p>${message}</p>`, writeLink('open', site.url, site.name)])
}

function writePost(page: PostPage, site: Site): string[] {
  const { title, picture } = page
  const text = shorten(page.text, textLength, page.isLocked)
  return [
    writeCreator(page.creator, site),
    ...(picture?.isWide ? [writePicture(picture, site)] : []),
    ...(title ? [`<h1 dir="auto">${escapeHtml(title)}</h1>`] : []),
    ...(text ? [`<p class="text" dir="auto">${escapeHtml(text)}</p>`] : []),
    ...(page.isLocked ? [`<p class="lock">${escapeHtml(writeLock(page))}</p>`] : []),
    writeLink('open', addressOn(site, page.path), cardTexts.openPost(site.name)),
  ]
}

function writeProduct(page: ProductPage, site: Site): string[] {
  const { title, picture } = page
  const text = shorten(page.text, textLength)
  return [
    writeCreator(page.creator, site),
    ...(picture?.isWide ? [writePicture(picture, site)] : []),
    `<h1 dir="auto">${escapeHtml(title)}</h1>`,
    ...(text ? [`<p class="text" dir="auto">${escapeHtml(text)}</p>`] : []),
    `<p class="lock">${escapeHtml(writePrice(page))}</p>`,
    writeLink('open', addressOn(site, page.path), cardTexts.openProduct(site.name)),
  ]
}

function writeProfile(page: ProfilePage, site: Site): string[] {
  const { picture, creator } = page
  const bio = shorten(page.bio, textLength)
  const plans = writePlans(page)
  return [
    writeCreator(creator, site),
    ...(picture?.isWide ? [writePicture(picture, site)] : []),
    ...(bio ? [`<p class="text" dir="auto">${escapeHtml(bio)}</p>`] : []),
    `<p class="dimmed">${cardTexts.posts(page.posts)} · ${cardTexts.followers(page.followers)}</p>`,
    ...(plans ? [`<p class="lock">${escapeHtml(plans)}</p>`] : []),
    writeLink('open', addressOn(site, page.path), cardTexts.openProfile(site.name)),
  ]
}

function writeCreator({ name, username, path, avatar }: Creator, site: Site): string {
  const face = avatar
    ? `<img class="face" src="${escapeHtml(sourceOf(site, avatar, faceSide, faceSide))}" alt="">`
    : '<span class="face"></span>'
  const profile = writeLink('name', addressOn(site, path), name)
  return `<header class="creator">${face}<div class="names">${profile}<span class="dimmed">@${escapeHtml(username)}</span></div></header>`
}

const writePicture = (picture: Picture, site: Site): string =>
  `<div class="picture"><img src="${escapeHtml(sourceOf(site, picture, pictureWidth))}" alt=""></div>`

/** By path alone without a CDN, so that pictures load from whichever host the frame uses. */
const sourceOf = (site: Site, picture: Picture, width: number, height?: number): string =>
  site.filesUrl === undefined ? rendered(picture, width, height) : pictureOn(site, picture, width, height)

const writeLink = (className: string, href: string, text: string): string =>
  `<a class="${className}" href="${escapeHtml(href)}" target="_blank" rel="noopener" dir="auto">${escapeHtml(text)}</a>`

function writePage(title: string, body: readonly string[], canonical?: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
${canonical ? `<link rel="canonical" href="${escapeHtml(canonical)}">\n` : ''}<style>${styles}</style>
</head>
<body>
<main class="card">
${body.join('\n')}
</main>
</body>
</html>
`
}
