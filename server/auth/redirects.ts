import { isLoopback } from '../http/loopback.ts'
import type { AuthContext } from './context.ts'

/**
 * The allowed targets of links from emails: our own origin, or what AUTH_URI_ALLOW_LIST names. Anything else becomes the
 * site's own URL, as in GoTrue, so that a crafted request can't send a session elsewhere.
 */
export function allowedRedirect(
  { siteUrl, config }: Pick<AuthContext, 'siteUrl' | 'config'>,
  requested: unknown,
): string {
  const site = siteUrl()
  if (typeof requested !== 'string' || !URL.canParse(requested)) return site
  const url = new URL(requested)
  if (url.username !== '' || url.password !== '') return site
  // Returns the URL as parsed here, so that a browser can't parse it differently.
  if (isSameSite(url, new URL(site))) return url.href
  return config.auth.uriAllowList.some((pattern) => matches(pattern, url)) ? url.href : site
}

function isSameSite(url: URL, site: URL): boolean {
  if (url.origin === site.origin) return true
  const bothLocal = isLoopback(url.hostname) && isLoopback(site.hostname)
  return bothLocal && url.protocol === site.protocol && url.port === site.port
}

/** GoTrue's patterns: `*` for anything but `.` and `/`, `**` for anything, `?` for one character but `.` and `/`. */
function matches(pattern: string, url: URL): boolean {
  if (
    !/^(https?:|[a-z][a-z0-9+.-]*:)$/.test(url.protocol) ||
    url.protocol === 'javascript:' ||
    url.protocol === 'data:'
  ) {
    return false
  }
  const expression = pattern.replaceAll(/\*\*|\*|\?|[^*?]+/g, (piece) => {
    if (piece === '**') return '.*'
    if (piece === '*') return '[^./]*'
    return piece === '?' ? '[^./]' : piece.replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')
  })
  return new RegExp(`^${expression}$`).test(url.href) || new RegExp(`^${expression}$`).test(url.href.replace(/\/$/, ''))
}
