import sharp from 'sharp'
import { expect, it } from 'vitest'
import { writePdf } from './write-pdf.ts'

it('finds each of its objects where its table says, and the table where its end says', async () => {
  const jpeg = await sharp({ create: { width: 200, height: 100, channels: 3, background: '#3d6149' } })
    .jpeg()
    .toBuffer()
  const pdf = writePdf([
    { jpeg, width: 200, height: 100 },
    { jpeg, width: 200, height: 100 },
  ]).toString('latin1')
  expect(pdf).toMatch(/^%PDF-1\.4\n/)
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(pdf)?.[1])
  expect(pdf.slice(table)).toMatch(/^xref\n0 9\n/)
  const starts = [...pdf.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, start]) => Number(start))
  expect(starts).toHaveLength(8)
  for (const [index, start] of starts.entries()) expect(pdf.slice(start)).toMatch(new RegExp(`^${index + 1} 0 obj\n`))
  expect(pdf).toContain('/Count 2 /Kids [3 0 R 6 0 R]')
  expect(pdf).toContain('/MediaBox [0 0 595 298]')
  expect(pdf.match(new RegExp(`/Length ${jpeg.length} >>`, 'g'))).toHaveLength(2)
})
