/** A picture that fills a page. Sizes are in pixels. */
export type Page = { readonly jpeg: Buffer; readonly width: number; readonly height: number }

const pageWidth = 595 // points: A4's
const firstPage = 3

/** A PDF (1.4) with a picture on each page, which is as wide as A4 and as high as the picture requires. */
export function writePdf(pages: readonly Page[]): Buffer {
  const places = pages.map((_page, index) => firstPage + 3 * index)
  const objects: Buffer[] = [
    text('<< /Type /Catalog /Pages 2 0 R >>'),
    text(`<< /Type /Pages /Count ${pages.length} /Kids [${places.map((place) => `${place} 0 R`).join(' ')}] >>`),
    ...pages.flatMap((page, index) => writePage(page, places[index] ?? firstPage)),
  ]
  const parts = [text('%PDF-1.4\n')]
  const starts: number[] = []
  let length = parts[0]?.length ?? 0
  const add = (part: Buffer) => {
    parts.push(part)
    length += part.length
  }
  for (const [index, object] of objects.entries()) {
    starts.push(length)
    add(Buffer.concat([text(`${index + 1} 0 obj\n`), object, text('\nendobj\n')]))
  }
  const entries = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`)
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([...parts, text(table), text(trailer)])
}

/** The page, what it draws, and the picture. */
function writePage({ jpeg, width, height }: Page, place: number): Buffer[] {
  const pageHeight = Math.round((pageWidth * height) / width)
  const drawing = `q ${pageWidth} 0 0 ${pageHeight} 0 0 cm /Picture Do Q`
  return [
    text(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageWidth} ${pageHeight}] /Contents ${place + 1} 0 R /Resources << /XObject << /Picture ${place + 2} 0 R >> >> >>`,
    ),
    stream('', text(drawing)),
    stream(
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`,
      jpeg,
    ),
  ]
}

const stream = (about: string, content: Buffer): Buffer =>
  Buffer.concat([text(`<< ${about} /Length ${content.length} >>\nstream\n`), content, text('\nendstream')])

const text = (words: string): Buffer => Buffer.from(words, 'latin1')
