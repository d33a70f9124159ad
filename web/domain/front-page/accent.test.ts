import { describe, expect, it } from 'vitest'
import { accentRules, changeOf, contrast, isColor, ownAccent, shadesOf } from './accent.ts'

/** Every sixth step of each channel. */
const steps = Array.from({ length: 6 }, (_, step) => (step * 51).toString(16).padStart(2, '0'))
const colors = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)))

describe('the operator’s color', () => {
  it('is readable on light and dark, whichever was chosen [FIND-06]', () => {
    for (const color of colors) {
      const { light, dark } = shadesOf(color)
      for (const { filled } of [light, dark])
        expect(contrast(filled, '#ffffff'), `${color}: a button`).toBeGreaterThanOrEqual(4.5)
      expect(contrast(dark.filled, '#201c19'), `${color}: a button on dark`).toBeGreaterThanOrEqual(3)
      expect(contrast(light.text, '#faf7f2'), `${color}: a link`).toBeGreaterThanOrEqual(5)
      expect(contrast(dark.text, '#201c19'), `${color}: a link on dark`).toBeGreaterThanOrEqual(5)
    }
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
