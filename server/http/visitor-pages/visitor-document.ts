import { escapeHtml } from '../../escape-html.ts'
import type { VisitorPage } from './visitor-pages.ts'

const root = '<div id="root"></div>'
/** Of the app. The page is complete without them, so its style sheet and pictures come first. */
const scripts = /<(?:script type="module"|link rel="modulepreload")/g
/** A browser that painted half of the page would move parts of it when the rest arrives. */
const untilParsed = '<link rel="expect" href="#page-data" blocking="render">'

/**
 * The app's document with a page in it: readable at once, and then the app takes over. Its data is no script that could run, so the content
 * security policy needs no exception.
 */
export function withVisitorPage(document: string, { html, data }: VisitorPage): string {
  const content = `<div id="root" data-visitor-page>${html}</div>`
  const json = `<script type="application/json" id="page-data">${data.replaceAll('<', '\\u003c')}</script>`
  return (
    document
      .replace(scripts, (start) => `${start} fetchpriority="low"`)
      .replace('</head>', `${untilParsed}</head>`)
      // Functions, because a text may contain `$&`, which a replacement string would interpret.
      .replace(root, () => content + json)
      .replace(/<noscript>[^<]*<\/noscript>\s*/, '')
  )
}

/** The app's own scripts, what they need at once, and the manifest that installs it. The style sheets stay. */
const partsOfApp = [
  /<script type="module"[^>]*><\/script>/g,
  /<script type="application\/json" id="page-data">[^<]*<\/script>/g,
  /<link rel="expect"[^>]*>/g,
  /<link rel="modulepreload"[^>]*>/g,
  /<link rel="preload"[^>]*as="fetch"[^>]*>/g,
  /<link rel="manifest"[^>]*>/g,
]

/**
 * A document with a visitor's page for a creator's own domain (PAGE-02): to be read there. Buttons lead to the profile on the site.
 * @param profile the absolute URL of the profile.
 */
export function withoutApp(document: string, profile: string): string {
  const page = partsOfApp.reduce((rest, part) => rest.replace(part, ''), document)
  const script = `<script src="/custom-domain.js" data-profile="${escapeHtml(profile)}" defer></script>`
  return page.replace('</head>', () => `${script}</head>`)
}
