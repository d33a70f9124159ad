import type { CSSProperties, ReactNode } from 'react'
import classes from './accent.module.css'
import { accentShades, type Scheme } from './accent-shades.ts'

/** The properties of an element that has a creator's accent color, together with everything in it; empty without one. */
export type Accent = { className?: string; style?: CSSProperties }

/** Renders with a creator's accent color (PAGE-01). */
export default function Accented({ color, children }: { color: string; children: (accent: Accent) => ReactNode }) {
  return children(accentOf(color))
}

export function accentOf(color: string): Accent {
  const schemes: readonly Scheme[] = ['light', 'dark']
  const shades = schemes.flatMap((scheme) =>
    Object.entries(accentShades(color, scheme)).map(([name, shade]) => [`--${scheme}-${name}`, shade] as const),
  )
  return { className: classes.accent ?? '', style: Object.fromEntries(shades) }
}
