import type { VisitorPage } from './visitor-pages.ts'

const root = '<div id="root"></div>'

/**
 * The app's document with a page in it: readable at once, and then the app takes over. Its data is no script that could run, so the content
 * security policy needs no exception.
 */
export function withVisitorPage(document: string, { html, data }: VisitorPage): string {
  const content = `<div id="root" data-visitor-page>${html}</div>`
  const json = `<script type="application/json" id="page-data">${data.replaceAll('<', '\\u003c')}</script>`
  return (
    document
      // Functions, because a text may contain `$&`, which a replacement string would interpret.
      .replace(root, () => content + json)
      .replace(/<noscript>[^<]*<\/noscript>\s*/, '')
  )
}
