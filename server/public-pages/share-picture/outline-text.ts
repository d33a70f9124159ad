import { createRequire } from 'node:module'
import { type Font, openSync } from 'fontkit'

/** Scripts that the font has, each in a file of its own. */
const subsets = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'] as const

let opened: readonly Font[] | undefined

/** Text is drawn as outlines, as in watermarks: a server may have no fonts at all, and would draw empty boxes. */
function fonts(): readonly Font[] {
  const { resolve } = createRequire(import.meta.url)
  opened ??= subsets.map((name) => openSync(resolve(`@fontsource/inter/files/inter-${name}-600-normal.woff`)) as Font)
  return opened
}

/** The text without what the font lacks, such as emoji. Undefined if that is most of it. */
export function drawable(text: string): string | undefined {
  const characters = [...text]
  const known = characters.filter((character) => fontFor(character))
  if (known.length * 2 <= characters.length) return undefined
  return known.join('').replace(/\s+/g, ' ').trim() || undefined
}

const fontFor = (character: string): Font | undefined =>
  fonts().find((font) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0))

/** @returns the width in pixels. */
export const measureText = (text: string, sizePx: number): number =>
  runsOf(text).reduce((sum, { font, text: run }) => sum + (font.layout(run).advanceWidth * sizePx) / font.unitsPerEm, 0)

/** A line of text as SVG, from (x, y), where y is that of the baseline. */
export function outlineText(text: string, x: number, y: number, sizePx: number): string {
  let reached = x
  return runsOf(text)
    .map(({ font, text: run }) => {
      const scale = sizePx / font.unitsPerEm
      const { glyphs, positions } = font.layout(run)
      return glyphs
        .map((glyph, index) => {
          // A font's y grows upwards.
          const path = `<path transform="translate(${round(reached)} ${y}) scale(${scale} ${-scale})" d="${glyph.path.toSVG()}"/>`
          reached += (positions[index]?.xAdvance ?? 0) * scale
          return path
        })
        .join('')
    })
    .join('')
}

/** Breaks the text between words, or inside one that is longer than a line. A longer text ends in an ellipsis. */
export function wrapText(text: string, sizePx: number, widthPx: number, mostLines: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap((word) => piecesOf(word, sizePx, widthPx))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (measureText(longer, sizePx) <= widthPx) line = longer
    else if (lines.push(line) === mostLines) return endWithEllipsis(lines, sizePx, widthPx)
    else line = word
  }
  return line === '' ? lines : [...lines, line]
}

function endWithEllipsis(lines: readonly string[], sizePx: number, widthPx: number): string[] {
  let last = lines.at(-1) ?? ''
  while (last !== '' && measureText(`${last}…`, sizePx) > widthPx) last = last.slice(0, -1)
  return [...lines.slice(0, -1), `${last.trimEnd()}…`]
}

function piecesOf(word: string, sizePx: number, widthPx: number): string[] {
  if (measureText(word, sizePx) <= widthPx) return [word]
  // Hardly any character is wider than its size.
  const length = Math.max(1, Math.floor(widthPx / sizePx / 1.2))
  return word.match(new RegExp(`.{1,${length}}`, 'gu')) ?? []
}

type Run = { readonly font: Font; readonly text: string }

/** The text in parts that one font has. */
function runsOf(text: string): Run[] {
  const runs: { font: Font; text: string }[] = []
  for (const character of text) {
    const last = runs.at(-1)
    const font = fontFor(character)
    if (!font) continue
    if (last?.font === font) last.text += character
    else runs.push({ font, text: character })
  }
  return runs
}

const round = (value: number): number => Math.round(value * 100) / 100
