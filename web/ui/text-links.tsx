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

export default function TextLinks({ text }: { text: string }) {
  const parts = useMemo(() => findLinks(text), [text])
  return parts.map((part, index) => {
    const key = `${String(index)}`
    return typeof part === 'string' ? <span key={key}>{part}</span> : <OneLink key={key} link={part} />
  })
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
