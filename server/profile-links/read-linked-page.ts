import { isLoopback } from '../http/loopback.ts'
import { requestOutside } from '../outside-request.ts'

/** For the whole page, with its redirects. */
const timeoutMs = 5_000
/** The links that matter are in the head or the profile's part of a page, which come early. */
const maxBytes = 512 * 1024
const maxRedirects = 3

type Options = {
  /** In production. Elsewhere, the page may also be on this machine, and without TLS. */
  readonly isGuarded: boolean
  /** This installation's origin: it says who reads the page. */
  readonly siteUrl: string
}

/**
 * Reads the page behind a creator's link: HTML, over https, from the public internet.
 *
 * It follows redirects only within the site, with or without `www.`: many sites redirect wherever their address says, and would otherwise
 * vouch for a page that isn't theirs.
 * @throws if there is no such page, or none in time.
 */
export async function readLinkedPage(link: URL, { isGuarded, siteUrl }: Options): Promise<{ url: URL; html: string }> {
  const deadline = Date.now() + timeoutMs
  let url = link
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    if (!isAllowed(url, isGuarded)) throw new Error(`${url.host} isn't an address with https`)
    const { status, body, contentType, location } = await requestOutside(url, {
      headers: { accept: 'text/html, application/xhtml+xml', 'user-agent': `OvationLinkCheck/1.0 (+${siteUrl})` },
      timeoutMs: Math.max(1, deadline - Date.now()),
      maxBytes,
      mayCut: true,
      publicOnly: isGuarded,
    })
    if (status < 300 || status >= 400 || location === undefined)
      return { url, html: requireHtml(url, status, body, contentType) }
    const next = URL.parse(location, url.href)
    if (next === null || siteOf(next) !== siteOf(link)) throw new Error(`${url.host} redirects to another site`)
    url = next
  }
  throw new Error(`${link.host} redirects more than ${maxRedirects} times`)
}

function isAllowed({ protocol, port, username, password, hostname }: URL, isGuarded: boolean): boolean {
  if (username !== '' || password !== '') return false
  if (!isGuarded && isLoopback(hostname)) return protocol === 'https:' || protocol === 'http:'
  return protocol === 'https:' && port === ''
}

const siteOf = ({ host }: URL): string => host.replace(/^www\./, '')

function requireHtml(url: URL, status: number, body: string, contentType = ''): string {
  if (status !== 200) throw new Error(`${url.host} answered ${status}`)
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType)) throw new Error(`${url.host} sent no HTML`)
  return body
}
