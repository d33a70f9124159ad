import { postTexts } from '@ovation/contract/texts/posts'
import { IconPhotoOff } from '@tabler/icons-react'
import { useState } from 'react'
import { widthsOf } from '../../lib/media/media-links.ts'
import classes from './post-image.module.css'
import type { Focus } from './queries.ts'

/** Where media show: in a card of a list, which crops tall pictures, on the post's own page, or in a message. */
export type MediaPlace = keyof typeof widthRem
/** The width of all media in that place. */
const widthRem = { list: 42, page: 68.75, message: 21 }

type Props = {
  url: string | undefined
  alt: string
  eager?: boolean
  place?: MediaPlace
  /** The part of the card's width that it takes, from 0 to 1. */
  share?: number
  /** The part that stays in view when it is cropped (LOOP-11); the middle if it isn't set. */
  focus?: Focus | undefined
}

/** A picture that fills its container, or a message that it isn't available (POST-14). */
export function PostImage({ url, alt, eager = false, place = 'list', share = 1, focus }: Props) {
  const [broken, setBroken] = useState<string>()
  if (!url || broken === url) return <NotAvailable text={postTexts.imageNotAvailable} />
  return (
    <img
      className={classes.image}
      data-place={place}
      style={focus && { objectPosition: `${focus.x * 100}% ${focus.y * 100}%` }}
      src={url}
      srcSet={widthsOf(url, place === 'page')}
      sizes={sizesOf(place, share)}
      alt={alt}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : undefined}
      decoding="async"
      onError={() => setBroken(url)}
    />
  )
}

function sizesOf(place: MediaPlace, share: number): string {
  const rem = widthRem[place]
  return `(max-width: ${rem + 4}em) ${Math.round(share * 100)}vw, ${Math.round(share * rem)}rem`
}

export function NotAvailable({ text }: { text: string }) {
  return (
    <span className={classes.missing} role="img" aria-label={text}>
      <IconPhotoOff size={28} stroke={1.4} aria-hidden="true" />
      <span aria-hidden="true">{text}</span>
    </span>
  )
}
