import { LinkifyIt, type Match } from 'linkify-it'

/** A URL in a text, as the user typed it. */
export type TextLink = { text: string; url: URL }

// Names of top-level domains that are common among creators and unlikely at the end of a sentence. The library knows the country codes.
const moreTlds = ['app', 'art', 'blog', 'design', 'dev', 'photo', 'photography', 'site', 'store', 'studio', 'xyz']

// Email addresses, other schemes, and IP addresses without a scheme stay text.
const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: false, urlAuth: true }).tlds(moreTlds, true)
for (const scheme of ['ftp:', 'mailto:', '//']) linkify.add(scheme, null)

/** Splits a text at its http and https URLs (LOOP-13). */
export function findLinks(text: string): (string | TextLink)[] {
  const parts: (string | TextLink)[] = []
  let end = 0
  for (const match of linkify.match(text) ?? []) {
    const url = urlOf(match)
    if (!url) continue
    if (match.index > end) parts.push(text.slice(end, match.index))
    parts.push({ text: match.raw, url })
    end = match.lastIndex
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

function urlOf({ schema, raw }: Match): URL | undefined {
  // "It was great.So we stayed": a sentence without a space, not a domain.
  if (!schema && /\.\p{Lu}[^./?#]*(?:[/?#]|$)/u.test(raw)) return undefined
  const address = schema ? raw : `https://${raw}`
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  // A name before the host makes one site look like another.
  const isPlain = (url.protocol === 'https:' || url.protocol === 'http:') && !url.username && !url.password
  return isPlain ? url : undefined
}
