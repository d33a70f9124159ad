type Rgb = readonly number[]

/** Readable shades of a creator's accent color in one color scheme, as CSS colors. */
export type AccentShades = {
  /** Of the primary button and the mark of the open tab: 3:1 to the page at least. */
  fill: string
  hover: string
  /** The text on it: 4.5:1 at least. */
  label: string
  /** Of links: 4.5:1 to the page at least, also on a tint of itself. */
  text: string
}

/** Of the page's two backgrounds, the one on which a color is harder to see (web/ui/theme.ts), and where colors go to be seen better. */
const schemes = { light: { ground: [250, 247, 242], end: 0 }, dark: { ground: [32, 28, 25], end: 255 } } as const
export type Scheme = keyof typeof schemes

const steps = 32
const white: Rgb = [255, 255, 255]

/** The nearest shades of a color, `#rrggbb`, that can be read: a color that can be read stays as it is (PAGE-01). */
export function accentShades(color: string, scheme: Scheme): AccentShades {
  const { ground, end } = schemes[scheme]
  const own = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
  const nearest = (isReadable: (shade: Rgb) => boolean): Rgb => {
    let step = 0
    while (step < steps && !isReadable(mix(own, end, step))) step += 1
    return mix(own, end, step)
  }
  const fill = nearest((shade) => contrast(shade, ground) >= 3)
  // Black or white is always readable.
  const isWhite = contrast(fill, white) >= 4.5
  const text = nearest((shade) => contrast(shade, tint(ground, shade)) >= 4.5)
  return {
    fill: hex(fill),
    hover: hex(mix(fill, isWhite ? 0 : 255, 4)),
    label: isWhite ? '#ffffff' : '#000000',
    text: hex(text),
  }
}

/** A color moved toward black (0) or white (255). */
const mix = (color: Rgb, end: number, step: number): Rgb =>
  color.map((value) => Math.round(value + ((end - value) * step) / steps))

/** The background of a mark in this color (accent.module.css). */
const tint = (ground: Rgb, color: Rgb): Rgb =>
  ground.map((value, index) => value + ((color[index] ?? 0) - value) * 0.12)

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
