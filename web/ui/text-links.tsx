import { paths } from '@ovation/contract/paths'
import { findNames, type TextName } from '@ovation/contract/text-names'
import { trackingLinkPrefix } from '@ovation/contract/tracking-links'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { siteOrigin } from '../lib/api/api-url.ts'
import { findLinks, type TextLink } from '../lib/format/find-links.ts'
import { OutsideLink } from './outside-link.tsx'
import classes from './text-links.module.css'

/** Longer links show their beginning. */
const longLink = 60
/** Invisible characters that change the direction of the text around them, so that an address looks like another one. */
const directionMarks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

type Part = string | TextLink | (TextName & { text: string })

export default function TextLinks({ text, names }: { text: string; names: boolean }) {
  const parts = useMemo(() => (names ? findAll(text.normalize()) : findLinks(text)), [text, names])
  return parts.map((part, index) => {
    const key = `${String(index)}`
    if (typeof part === 'string') return <span key={key}>{part}</span>
    return 'url' in part ? <OneLink key={key} link={part} /> : <OneName key={key} name={part} />
  })
}

/** Splits a text at its URLs, tags, and mentions. None of them overlap. */
function findAll(text: string): Part[] {
  const names = findNames(text)
  let end = 0
  return findLinks(text).flatMap((part) => {
    const from = end
    end += typeof part === 'string' ? part.length : part.text.length
    return typeof part === 'string' ? split(part, from, names) : part
  })
}

/** @param from where the part begins in the whole text. */
function split(part: string, from: number, names: TextName[]): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const name of names) {
    const [first, last] = [name.start - from, name.end - from]
    if (first < end || last > part.length) continue
    if (first > end) parts.push(part.slice(end, first))
    parts.push({ ...name, text: part.slice(first, last) })
    end = last
  }
  if (end < part.length) parts.push(part.slice(end))
  return parts
}

function OneName({ name: { kind, name, text } }: { name: TextName & { text: string } }) {
  return (
    <Link to={kind === 'tag' ? paths.tag(name) : paths.profile(name)} className={classes.name}>
      {text}
    </Link>
  )
}

function OneLink({ link: { text, url } }: { link: TextLink }) {
  const looks = {
    className: classes.link,
    // Addresses read from left to right, also within Arabic or Hebrew. The attribute isolates them from direction marks in front.
    dir: 'ltr',
    'data-long': text.length > longLink,
  }
  const shown = text.replace(directionMarks, '')
  return url.origin === siteOrigin() ? (
    // The server counts who opens a creator's link, and knows where it leads.
    <Link
      to={url.pathname + url.search + url.hash}
      reloadDocument={url.pathname.startsWith(trackingLinkPrefix)}
      {...looks}
    >
      {shown}
    </Link>
  ) : (
    <OutsideLink url={url.href} {...looks}>
      {shown}
    </OutsideLink>
  )
}
