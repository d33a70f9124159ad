import { lockedPreviewLength } from '@ovation/contract/limits'
import { postTexts } from '@ovation/contract/texts/posts'
import { useState } from 'react'
import { LinkedText } from '../../ui/linked-text.tsx'
import classes from './post-content.module.css'

type Props = { content: string /** The text is only a preview. */; locked: boolean; whole: boolean }

/** Longer texts collapse in a list, so that one long post doesn't push the others away. */
const foldLength = 600
const foldLines = 12

const isLong = (content: string) => content.length > foldLength || content.split('\n').length > foldLines

export function PostContent({ content, locked, whole }: Props) {
  // A shorter text is complete: only the media are locked.
  const cut = locked && [...content].length >= lockedPreviewLength
  const [open, setOpen] = useState(false)
  const foldable = !whole && isLong(content)
  return (
    <>
      <p className={classes.content} dir="auto" data-folded={foldable && !open} data-cut={cut}>
        {/* A preview may end within a URL, so it has no links. */}
        {cut ? `${content.replace(/[\s.,:;]+$/, '')}…` : <LinkedText text={content} names />}
      </p>
      {foldable && (
        <button type="button" className={`reach ${classes.more}`} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? postTexts.readLess : postTexts.readMore}
        </button>
      )}
    </>
  )
}
