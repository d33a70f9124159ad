import type { CSSProperties, ReactNode } from 'react'
import { type AccentShades, accentShades, type Scheme } from '../../ui/accent-shades.ts'
import classes from './accent.module.css'

/** The properties of an element that has a creator's accent color, together with everything in it; empty without one. */
export type Accent = { className?: string; style?: CSSProperties }

/** Renders with a creator's accent color (PAGE-01). */
export default function Accented({ color, children }: { color: string; children: (accent: Accent) => ReactNode }) {
  return children(accentOf(color))
}

/** Only buttons have a text on the color, so it is black where white couldn't be read. */
export const creatorShades = (color: string, scheme: Scheme): AccentShades =>
  accentShades(color, scheme, 'black or white')

export function accentOf(color: string): Accent {
  const schemes: readonly Scheme[] = ['light', 'dark']
  const shades = schemes.flatMap((scheme) =>
    Object.entries(creatorShades(color, scheme)).map(([name, shade]) => [`--${scheme}-${name}`, shade] as const),
  )
  return { className: classes.accent ?? '', style: Object.fromEntries(shades) }
}
