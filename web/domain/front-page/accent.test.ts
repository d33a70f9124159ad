import { describe, expect, it } from 'vitest'
import { isColor, ownAccent } from '../../ui/accent-shades.ts'
import { accentRules, changeOf, frontShades } from './accent.ts'

describe('the operator’s color', () => {
  it('has white texts on it, like the product’s own [FIND-06]', () => {
    for (const color of ['#ffd400', '#ffffff', '#101840'])
      for (const scheme of ['light', 'dark'] as const) expect(frontShades(color, scheme).label).toBe('#ffffff')
  })

  it.each([
    ['#c9264f', 'kept'],
    [ownAccent, 'lighter'],
    ['#FFD400', 'darker'],
    ['#ffffff', 'darker'],
    ['#101840', 'lighter'],
    ['#000000', 'lighter'],
  ])('says how buttons differ from %s: %s [FIND-06]', (color, change) => {
    expect(changeOf(color)).toBe(change)
  })

  it('writes nothing into the page that is no color [FIND-06]', () => {
    for (const value of ['', 'red', '#12345', '#1234567', '#12345g', '#123456}body{display:none']) {
      expect(isColor(value)).toBe(false)
      expect(accentRules(value)).toBe('')
    }
    expect(accentRules('#1f5f99')).toMatch(
      /^html:root\[data-mantine-color-scheme=light\]\{--mantine-primary-color-filled:#1f5f99;/,
    )
  })
})
