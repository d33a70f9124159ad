import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accentShades, type Scheme } from './accent-shades.ts'
import { cssVariables, theme } from './theme.ts'

/** WCAG 2's contrast, written apart from the code under test. */
function contrastOf(one: string, other: string): number {
  const luminance = (color: string) => {
    const [red, green, blue] = (color.match(/[0-9a-f]{2}/g) ?? []).map((pair) => {
      const value = Number.parseInt(pair, 16) / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    }) as [number, number, number]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const variables = cssVariables(theme as Parameters<typeof cssVariables>[0])
/** The backgrounds on which a page shows the color. */
const grounds = (scheme: Scheme) =>
  [variables[scheme]['--mantine-color-body'], variables[scheme]['--surface']] as string[]
const anyColor = fc
  .tuple(...[0, 0, 0].map(() => fc.integer({ min: 0, max: 255 })))
  .map((channels) => `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`)
const extremes = ['#000000', '#ffffff', '#ffff00', '#0000ff', '#808080', '#faf7f2', '#201c19']

describe.each(['light', 'dark'] as const)('an accent color on a %s page', (scheme) => {
  it.each(['black or white', 'white'] as const)(
    'is readable, whatever was chosen, with a label in %s [PAGE-01, FIND-06]',
    (wanted) => {
      const check = (color: string) => {
        const { fill, hover, label, text } = accentShades(color, scheme, wanted)
        if (wanted === 'white') expect(label, color).toBe('#ffffff')
        expect(contrastOf(fill, label), `label on ${fill}`).toBeGreaterThanOrEqual(4.5)
        expect(contrastOf(hover, label), `label on ${hover}`).toBeGreaterThanOrEqual(4.5)
        for (const ground of grounds(scheme)) {
          expect(contrastOf(fill, ground), `${fill} on ${ground}`).toBeGreaterThanOrEqual(3)
          expect(contrastOf(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
        }
      }
      for (const color of extremes) check(color)
      fc.assert(fc.property(anyColor, check), { numRuns: 2_000 })
    },
  )
})

it('stays as it is where it can be read [PAGE-01]', () => {
  const shades = (color: string, scheme: Scheme) => accentShades(color, scheme, 'black or white')
  expect(shades('#1f5f99', 'light')).toMatchObject({ fill: '#1f5f99', text: '#1f5f99', label: '#ffffff' })
  expect(shades('#ffd84d', 'dark')).toMatchObject({ fill: '#ffd84d', text: '#ffd84d', label: '#000000' })
})

it('is darker on light and lighter on dark where it can’t [PAGE-01]', () => {
  const fill = (color: string, scheme: Scheme) => accentShades(color, scheme, 'black or white').fill
  expect(fill('#ffd84d', 'light')).not.toBe('#ffd84d')
  expect(contrastOf(fill('#ffd84d', 'light'), '#faf7f2')).toBeLessThan(4.5)
  expect(fill('#102040', 'dark')).not.toBe('#102040')
})
