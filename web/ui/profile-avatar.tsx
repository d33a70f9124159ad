import { type CSSProperties, useState } from 'react'
import { smallImage } from '../lib/media/public-image.ts'
import classes from './profile-avatar.module.css'
import tones from './tone.module.css'

type Props = {
  /** Display name or username: decides the initials and the color. */
  name: string
  src?: string | null
  /** Diameter: a CSS length, or pixels that scale with the text size (base.css). */
  size?: number | string
}

const toneCount = 6

/** The largest diameter, in pixels, at which the small rendition is sharp on a 2x screen. */
const smallMax = 72

/** The same name always gets the same color. */
export const toneOf = (name: string): number =>
  [...name].reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) % 9973, 7) % toneCount

/** `"Ada Lovelace"` → `"AL"`, `"ada"` → `"A"`. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '')
  return letters.join('').toLocaleUpperCase('en-US')
}

/** A round picture, or initials on a calm color. Decorative: the name is always beside it. */
export function ProfileAvatar({ name, src, size = 44 }: Props) {
  const [broken, setBroken] = useState<string | null>(null)
  const wanted = src && typeof size === 'number' && size <= smallMax ? smallImage(src) : src
  const picture = wanted && wanted !== broken ? wanted : undefined
  return (
    <span
      className={`${classes.avatar} ${tones.tone}`}
      // Not loaded yet, or below a picture: no color, which would change when it loads.
      data-tone={name && !picture ? toneOf(name) : undefined}
      // Drawn in CSS, so that initials aren't part of the accessible name of a surrounding button or link.
      data-initials={picture ? undefined : initialsOf(name)}
      style={{ '--avatar-size': typeof size === 'number' ? `calc(${size} * var(--pixel))` : size } as CSSProperties}
      aria-hidden="true"
    >
      {picture && <img src={picture} alt="" loading="lazy" onError={() => setBroken(picture)} />}
    </span>
  )
}
