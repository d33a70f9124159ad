import { type CSSProperties, useState } from 'react'
import { smallImage } from '../lib/media/public-image.ts'
import classes from './profile-avatar.module.css'
import tones from './tone.module.css'

type Props = {
  /** Display name or username: the source of the initials and of the tone. */
  name: string
  src?: string | null
  /** Diameter: a CSS length, or pixels, which grow with the letters (base.css). */
  size?: number | string
}

const toneCount = 6

/** The largest diameter, in pixels, that the small rendering fills at two to one. */
const smallMax = 72

/** The same name always gets the same tone. */
export const toneOf = (name: string): number =>
  [...name].reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) % 9973, 7) % toneCount

/** `"Ada Lovelace"` → `"AL"`, `"ada"` → `"A"`. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '')
  return letters.join('').toLocaleUpperCase('en-US')
}

/** A round picture, or initials in a calm tone. Decorative: the name always stands beside it. */
export function ProfileAvatar({ name, src, size = 44 }: Props) {
  const [broken, setBroken] = useState<string | null>(null)
  const wanted = src && typeof size === 'number' && size <= smallMax ? smallImage(src) : src
  const picture = wanted && wanted !== broken ? wanted : undefined
  return (
    <span
      className={`${classes.avatar} ${tones.tone}`}
      // Not known yet: no letters, and no tone that another one replaces.
      data-tone={name ? toneOf(name) : undefined}
      // Drawn by the style sheet: they are a picture, and no part of the name of a button or link around it.
      data-initials={picture ? undefined : initialsOf(name)}
      style={{ '--avatar-size': typeof size === 'number' ? `calc(${size} * var(--pixel))` : size } as CSSProperties}
      aria-hidden="true"
    >
      {picture && <img src={picture} alt="" loading="lazy" onError={() => setBroken(picture)} />}
    </span>
  )
}
