import type { CSSProperties } from 'react'
import { type AccentShades, accentShades, isColor, type Scheme } from '../../ui/accent-shades.ts'

/** Shades of the operator's color on the front page (FIND-06), for the whole document: texts on it are white, as on the product's own. */
export const frontShades = (accent: string, scheme: Scheme): AccentShades => accentShades(accent, scheme, 'white')

/** How buttons differ from the chosen color. */
export function changeOf(accent: string): 'kept' | 'darker' | 'lighter' {
  const [light, dark] = [frontShades(accent, 'light').fill, frontShades(accent, 'dark').fill]
  if (light !== accent.toLowerCase()) return 'darker'
  return dark === light ? 'kept' : 'lighter'
}

/** CSS for the whole document. The names of the scheme and the element make it stronger than the theme's own values. */
export const accentRules = (accent: string): string =>
  isColor(accent)
    ? (['light', 'dark'] as const)
        .map((scheme) => {
          const values = Object.entries(variablesOf(accent, scheme)).map(([name, value]) => `${name}:${value}`)
          return `html:root[data-mantine-color-scheme=${scheme}]{${values.join(';')}}`
        })
        .join('')
    : ''

/** The same for one element. */
export const accentStyle = (accent: string, scheme: Scheme): CSSProperties =>
  isColor(accent) ? (variablesOf(accent, scheme) as CSSProperties) : {}

function variablesOf(accent: string, scheme: Scheme): Record<string, string> {
  const { fill, hover, text } = frontShades(accent, scheme)
  return {
    '--mantine-primary-color-filled': fill,
    '--mantine-primary-color-filled-hover': hover,
    '--accent-text': text,
    '--mantine-color-anchor': text,
  }
}
