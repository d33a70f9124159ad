import { postTexts } from '@ovation/contract/texts/posts'
import { IconPhotoOff } from '@tabler/icons-react'
import { useState } from 'react'
import { widthsOf } from '../../lib/media/media-links.ts'
import classes from './post-image.module.css'

type Props = { url: string | undefined; alt: string; eager?: boolean }

/** A picture that fills its container, or a message that it isn't available (POST-14). */
export function PostImage({ url, alt, eager = false }: Props) {
  const [broken, setBroken] = useState<string>()
  if (!url || broken === url) return <NotAvailable text={postTexts.imageNotAvailable} />
  return (
    <img
      className={classes.image}
      src={url}
      srcSet={widthsOf(url)}
      sizes="(max-width: 48em) 100vw, 40rem"
      alt={alt}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : undefined}
      decoding="async"
      onError={() => setBroken(url)}
    />
  )
}

export function NotAvailable({ text }: { text: string }) {
  return (
    <span className={classes.missing} role="img" aria-label={text}>
      <IconPhotoOff size={28} stroke={1.4} aria-hidden="true" />
      <span aria-hidden="true">{text}</span>
    </span>
  )
}
