import { createRequire } from 'node:module'
import type { Font } from 'fontkit'
import sharp, { type Sharp } from 'sharp'

let opened: Font | undefined

/** Text is drawn as outlines: a server may have no fonts at all, and would draw empty boxes. */
async function font(): Promise<Font> {
  const { openSync } = await import('fontkit') // large, and only few pictures have a watermark
  opened ??= openSync(
    createRequire(import.meta.url).resolve('@fontsource/inter/files/inter-latin-600-normal.woff'),
  ) as Font
  return opened
}

/**
 * The name, repeated over the whole picture at a slant. It is light with a dark edge, so that it is readable on any background and
 * no crop can remove it.
 */
export async function watermark(picture: Sharp, name: string): Promise<Sharp> {
  // The size is known only after the resize, so it goes through memory: the watermark is drawn over the result.
  const { data, info } = await picture.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const { width, height: wholeHeight, channels, pageHeight } = info
  const height = pageHeight ?? wholeHeight
  const letterPx = Math.max(11, Math.round(Math.min(width, height) / 26))
  const drawing = Buffer.from(pattern(await font(), name, letterPx, width, height))
  return sharp(data, { raw: { width, height: wholeHeight, channels, ...(pageHeight && { pageHeight }) } }).composite([
    { input: drawing, tile: height !== wholeHeight }, // each frame of an animation gets it
  ])
}

function pattern(font: Font, name: string, letterPx: number, width: number, height: number): string {
  const { glyphs, positions, advanceWidth } = font.layout(name)
  const scale = letterPx / font.unitsPerEm
  let reached = 0
  const letters = glyphs.map((glyph, index) => {
    const letter = `<path d="${glyph.path.toSVG()}" transform="translate(${reached} 0)"/>`
    reached += positions[index]?.xAdvance ?? 0
    return letter
  })
  const stepX = Math.round(advanceWidth * scale + letterPx * 4)
  const stepY = letterPx * 7
  // A font's y grows upwards.
  const word = (x: number, y: number) =>
    `<g transform="translate(${Math.round(x)} ${Math.round(y)}) scale(${scale} ${-scale})">${letters.join('')}</g>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <pattern id="names" width="${stepX}" height="${stepY}" patternUnits="userSpaceOnUse" patternTransform="rotate(-24)">
      <g fill="#fff" fill-opacity="0.38" stroke="#000" stroke-opacity="0.24" stroke-width="${font.unitsPerEm / 16}">
        ${word(0, letterPx * 2)}${word(stepX / -2, letterPx * 5.5)}${word(stepX / 2, letterPx * 5.5)}
      </g>
    </pattern>
    <rect width="100%" height="100%" fill="url(#names)"/>
  </svg>`
}
