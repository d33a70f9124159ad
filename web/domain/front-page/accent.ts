import type { CSSProperties } from 'react'

/*
 * The operator's color on the front page (FIND-06). Any color can be chosen: on each background it is shifted toward black or white as far as
 * texts and buttons need to be readable (WCAG 1.4.3, 1.4.11).
 */

export type Scheme = 'light' | 'dark'
/** What fills a button with white text, and what colors links. */
export type Shades = { readonly filled: string; readonly text: string }

/** The product's own (ui/theme.ts). */
export const ownAccent = '#b3123b'

export const isColor = (value: string): boolean => /^#[0-9a-f]{6}$/i.test(value)

const [white, black] = ['#ffffff', '#000000']
/** The backgrounds that leave the least contrast: the page in light, a surface in dark. */
const ground = { light: '#faf7f2', dark: '#201c19' } as const
/** For texts, with room for a tint behind them. */
const textContrast = 5
const buttonTextContrast = 4.5
/** Of a button with its surroundings. */
const buttonContrast = 3

export function shadesOf(accent: string): Record<Scheme, Shades> {
  const readable = shift(accent, black, white, buttonTextContrast)
  return {
    light: { filled: readable, text: shift(accent, black, ground.light, textContrast) },
    // Lighter again, at most to where white can still be read on it: the two limits leave room for each other.
    dark: {
      filled: shift(readable, white, ground.dark, buttonContrast),
      text: shift(accent, white, ground.dark, textContrast),
    },
  }
}

/** How buttons differ from the chosen color. */
export function changeOf(accent: string): 'kept' | 'darker' | 'lighter' {
  const { light, dark } = shadesOf(accent)
  if (light.filled !== accent.toLowerCase()) return 'darker'
  return dark.filled === light.filled ? 'kept' : 'lighter'
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
  const { filled, text } = shadesOf(accent)[scheme]
  return {
    '--mantine-primary-color-filled': filled,
    '--mantine-primary-color-filled-hover': mix(filled, black, 0.12),
    '--accent-text': text,
    '--mantine-color-anchor': text,
  }
}

/** The nearest color, in hundredths of the way to another one, that has this contrast with a third. */
function shift(color: string, toward: string, against: string, ratio: number): string {
  for (let hundredths = 0; hundredths < 100; hundredths += 1) {
    const shade = mix(color, toward, hundredths / 100)
    if (contrast(shade, against) >= ratio) return shade
  }
  return toward
}

/** The contrast of two colors, 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function mix(color: string, other: string, share: number): string {
  const others = channelsOf(other)
  const mixed = channelsOf(color).map((channel, index) => channel + ((others[index] ?? 0) - channel) * share)
  return `#${mixed.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`
}

const channelsOf = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
