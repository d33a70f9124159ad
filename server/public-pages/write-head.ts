import { escapeHtml } from '../escape-html.ts'

/** What the head of a document says to search engines and other sites. */
export type Head = {
  /** Of the browser's tab, with the site's name. */
  readonly title: string
  readonly description?: string
  /** The address under which the page is listed. */
  readonly canonical?: string
  /** Whether search engines may list it. */
  readonly isIndexed: boolean
  /** Names and contents. Without a content, the tag is left out. */
  readonly meta?: Readonly<Record<string, string | undefined>>
  readonly links?: readonly HeadLink[]
  /** JSON-LD. */
  readonly data?: object
}

export type HeadLink = { readonly rel: string; readonly href: string; readonly type?: string; readonly title?: string }

/** Open Graph's names are properties, and so are those of its types. */
const isProperty = /^(?:og|article|product|profile):/

/** @returns HTML for the document's head. */
export function writeHead({ title, description, canonical, isIndexed, meta = {}, links = [], data }: Head): string {
  const tags = Object.entries({ description, robots: isIndexed ? undefined : 'noindex', ...meta }).flatMap(
    ([name, content]) =>
      content
        ? [`<meta ${isProperty.test(name) ? 'property' : 'name'}="${name}" content="${escapeHtml(content)}" />`]
        : [],
  )
  return [
    `<title>${escapeHtml(title)}</title>`,
    ...tags,
    ...[...(canonical ? [{ rel: 'canonical', href: canonical }] : []), ...links].map(writeLink),
    ...(data ? [writeData(data)] : []),
  ].join('\n    ')
}

const writeLink = (link: HeadLink): string =>
  `<link ${Object.entries(link)
    .map(([name, value]) => `${name}="${escapeHtml(value)}"`)
    .join(' ')} />`

/** A data block, which no browser runs, so the content security policy has nothing to allow. No text can end it. */
const writeData = (data: object): string =>
  `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`
