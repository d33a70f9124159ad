import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cssVariables, theme } from '../../ui/theme.ts'
import { accentOf } from './accent.ts'
import { accentShades, type Scheme } from './accent-shades.ts'

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
/** The backgrounds on which a profile shows the color. */
const grounds = (scheme: Scheme) =>
  [variables[scheme]['--mantine-color-body'], variables[scheme]['--surface']] as string[]
const anyColor = fc
  .tuple(...[0, 0, 0].map(() => fc.integer({ min: 0, max: 255 })))
  .map((channels) => `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`)

describe.each(['light', 'dark'] as const)('an accent color on a %s page', (scheme) => {
  it('is readable, whatever its creator has chosen [PAGE-01]', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        const { fill, hover, label, text } = accentShades(color, scheme)
        expect(contrastOf(fill, label), `label on ${fill}`).toBeGreaterThanOrEqual(4.5)
        expect(contrastOf(hover, label), `label on ${hover}`).toBeGreaterThanOrEqual(4.5)
        for (const ground of grounds(scheme)) {
          expect(contrastOf(fill, ground), `${fill} on ${ground}`).toBeGreaterThanOrEqual(3)
          expect(contrastOf(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('has the extremes as well', () => {
    for (const color of ['#000000', '#ffffff', '#ffff00', '#0000ff', '#808080', '#faf7f2', '#201c19'])
      for (const ground of grounds(scheme))
        expect(contrastOf(accentShades(color, scheme).text, ground), color).toBeGreaterThanOrEqual(4.5)
  })
})

it('stays as it is where it can be read [PAGE-01]', () => {
  expect(accentShades('#1f5f99', 'light')).toMatchObject({ fill: '#1f5f99', text: '#1f5f99', label: '#ffffff' })
  expect(accentShades('#ffd84d', 'dark')).toMatchObject({ fill: '#ffd84d', text: '#ffd84d', label: '#000000' })
})

it('is darker on light and lighter on dark where it can’t [PAGE-01]', () => {
  expect(accentShades('#ffd84d', 'light').fill).not.toBe('#ffd84d')
  expect(contrastOf(accentShades('#ffd84d', 'light').fill, '#faf7f2')).toBeLessThan(4.5)
  expect(accentShades('#102040', 'dark').fill).not.toBe('#102040')
})

it('is a class and the shades of both schemes on the element', () => {
  expect(accentOf('#1f5f99')).toEqual({
    className: expect.stringContaining('accent'),
    style: {
      '--light-fill': '#1f5f99',
      '--light-hover': expect.any(String),
      '--light-label': '#ffffff',
      '--light-text': '#1f5f99',
      '--dark-fill': expect.any(String),
      '--dark-hover': expect.any(String),
      '--dark-label': expect.any(String),
      '--dark-text': expect.any(String),
    },
  })
})
