import { describe, expect, it } from 'vitest'
import { drawable, measureText, outlineText, wrapText } from './outline-text.ts'

describe('text in a picture', () => {
  it.each([
    ['Latin, Greek, and Cyrillic as they are', 'Zoë Łuk, Ζωή, Зоя', 'Zoë Łuk, Ζωή, Зоя'],
    ['a name without its emoji', 'Mara 🌊🌊', 'Mara'],
    ['nothing of a script that the font lacks', '你好世界', undefined],
    ['nothing of nothing', '', undefined],
  ])('shows %s', (_what, text, expected) => {
    expect(drawable(text)).toBe(expected)
  })

  it('is drawn as outlines, so no text is markup', () => {
    const drawn = outlineText('</svg><script>', 0, 0, 30)
    expect(drawn).toMatch(/^(?:<path transform="[^"<]+" d="[^"<]*"\/>)+$/)
  })

  it('keeps within its width and number of lines', () => {
    for (const text of ['word '.repeat(100).trim(), 'x'.repeat(5000), 'short', `one ${'W'.repeat(100)} two`]) {
      const lines = wrapText(text, 60, 1000, 2)
      expect(lines.length).toBeLessThanOrEqual(2)
      for (const line of lines) expect(measureText(line, 60), line).toBeLessThanOrEqual(1000)
    }
  })

  it('ends in an ellipsis when it has no room, and only then', () => {
    expect(wrapText('one two', 60, 1000, 2)).toEqual(['one two'])
    expect(wrapText('word '.repeat(100).trim(), 60, 1000, 2).at(-1)).toMatch(/…$/)
    expect(wrapText('', 60, 1000, 2)).toEqual([])
  })
})
