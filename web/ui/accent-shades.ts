/** Readable shades of any color in one color scheme, as CSS colors: a creator's accent (PAGE-01), or the operator's (FIND-06). */
export type AccentShades = {
  /** Of the primary button and the mark of the open tab: 3:1 to the page at least. */
  fill: string
  hover: string
  /** The text on it: 4.5:1 at least. */
  label: string
  /** Of links: 4.5:1 to the page at least, also on a tint of itself. */
  text: string
}

type Rgb = readonly number[]

/** The product's own (theme.ts). */
export const ownAccent = '#b3123b'

export const isColor = (value: string): boolean => /^#[0-9a-f]{6}$/i.test(value)

const [black, white]: readonly [Rgb, Rgb] = [
  [0, 0, 0],
  [255, 255, 255],
]
/** Of the page's two backgrounds, the one on which a color is harder to see (theme.ts), and where colors go to be seen better. */
const schemes = { light: { ground: [250, 247, 242], end: black }, dark: { ground: [32, 28, 25], end: white } } as const
export type Scheme = keyof typeof schemes

/** For texts. */
const textContrast = 4.5
/** Of a button or a mark with its surroundings. */
const markContrast = 3

/**
 * The nearest shades of a color, `#rrggbb`, that can be read (WCAG 1.4.3, 1.4.11). A color that can be read stays as it is.
 * @param label `white` where not only buttons have a text on the color: then it is dark enough for white everywhere.
 */
export function accentShades(color: string, scheme: Scheme, label: 'black or white' | 'white'): AccentShades {
  const { ground, end } = schemes[scheme]
  const own = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
  const dark = label === 'white' ? nearest(own, black, (shade) => contrast(shade, white) >= textContrast) : own
  // In the dark lighter again, at most to where white can still be read on it: the two limits leave room for each other.
  const fill = nearest(dark, end, (shade) => contrast(shade, ground) >= markContrast)
  // Black or white is always readable.
  const isWhite = contrast(fill, white) >= textContrast
  const text = nearest(own, end, (shade) => contrast(shade, mix(ground, shade, tint)) >= textContrast)
  return {
    fill: hex(fill),
    hover: hex(mix(fill, isWhite ? black : white, tint)),
    label: isWhite ? '#ffffff' : '#000000',
    text: hex(text),
  }
}

/** How much of a color is in the background of a mark (domain/creators/accent.module.css), and how far a button moves under the pointer. */
const tint = 0.12

/** The first color on the way to another one, in hundredths, that can be read. */
function nearest(color: Rgb, end: Rgb, isReadable: (shade: Rgb) => boolean): Rgb {
  let hundredths = 0
  while (hundredths < 100 && !isReadable(mix(color, end, hundredths / 100))) hundredths += 1
  return mix(color, end, hundredths / 100)
}

const mix = (color: Rgb, other: Rgb, share: number): Rgb =>
  color.map((value, index) => Math.round(value + ((other[index] ?? 0) - value) * share))

const hex = (color: Rgb): string => `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`

/** The contrast of two colors by WCAG 2, from 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const [first, second] = [luminance(one), luminance(other)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) =>
    value > 10 ? ((value / 255 + 0.055) / 1.055) ** 2.4 : value / 255 / 12.92,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
