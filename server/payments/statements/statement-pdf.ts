import { createRequire } from 'node:module'
import { statementTexts as texts } from '@ovation/contract/texts/statements'
import type { Database } from '../../postgres/database.ts'
import { formatMoney } from '../format-money.ts'
import { type Month, readEntries, type StatementEntry } from './read-entries.ts'

/** The most entries of a PDF. A busier month is a CSV, which costs the server almost nothing. */
export const mostPdfEntries = 2_000

const fontFile = (weight: 400 | 600) =>
  createRequire(import.meta.url).resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff`)

const margin = 40
const lineHeight = 18
const { columns } = texts
/** The left edge and width of each column of an A4 page, in points. Amounts are aligned right. */
const table = {
  date: { x: margin, width: 60 },
  item: { x: 102, width: 158 },
  payer: { x: 264, width: 86 },
  gross: { x: 352, width: 72, align: 'right' },
  fee: { x: 426, width: 60, align: 'right' },
  net: { x: 488, width: 67, align: 'right' },
} as const
type Column = keyof typeof table

type Options = { readonly profileId: string; readonly month: Month; readonly name: string; readonly siteName: string }

/**
 * Writes a month's statement as a PDF, page by page: finished pages are released as the client reads them (LOOP-21). The entries are read
 * before it begins, so that a database that is too busy to read them fails the request rather than the file.
 */
export async function writeStatementPdf(
  database: Database,
  { profileId, month, name, siteName }: Options,
): Promise<PDFKit.PDFDocument> {
  const parts = await Array.fromAsync(readEntries(database, profileId, month))
  const { default: PDFDocument } = await import('pdfkit') // large, and rarely used
  const pdf = new PDFDocument({
    size: 'A4',
    margin,
    lang: 'en-US',
    displayTitle: true,
    info: { Title: `${texts.pdfTitle(siteName)} ${month}`, Author: siteName },
  })
  void write(pdf, parts, { title: texts.pdfTitle(siteName), name, month }).catch((error: unknown) =>
    pdf.destroy(error as Error),
  )
  return pdf
}

async function write(
  pdf: PDFKit.PDFDocument,
  parts: readonly StatementEntry[][],
  { title, name, month }: { title: string; name: string; month: Month },
): Promise<void> {
  pdf.registerFont('regular', fontFile(400)).registerFont('bold', fontFile(600))
  pdf.font('bold').fontSize(18).text(title, margin, margin)
  const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  pdf.font('regular').fontSize(10)
  pdf.text(texts.of(printable(name, ''), monthName.format(new Date(`${month}-01T00:00:00Z`))), margin, margin + 26)
  pdf
    .fillColor('#555')
    .fontSize(8)
    .text(texts.note, margin, margin + 42)
    .fillColor('#000')
  let page = 1
  let y = head(pdf, margin + 66, page)
  const totals = new Map<string, { gross: number; fee: number; net: number }>()
  for (const entries of parts) {
    for (const entry of entries) {
      if (y > pdf.page.height - margin - 2 * lineHeight) {
        pdf.addPage()
        page += 1
        y = head(pdf, margin, page)
      }
      const { at, item, payer, payerUsername, gross, fee, net, currency } = entry
      row(pdf, y, {
        date: dayFormat.format(at),
        item: printable(item, item.split(':', 1)[0] ?? ''),
        payer: printable(payer, payerUsername),
        gross: formatMoney(gross, currency),
        fee: formatMoney(fee, currency),
        net: formatMoney(net, currency),
      })
      const total = totals.get(currency) ?? { gross: 0, fee: 0, net: 0 }
      totals.set(currency, { gross: total.gross + gross, fee: total.fee + fee, net: total.net + net })
      y += lineHeight
    }
    // Lets other requests run between two parts.
    await new Promise(setImmediate)
  }
  if (totals.size === 0) pdf.text(texts.none, margin, y)
  for (const [currency, { gross, fee, net }] of totals) {
    pdf.font('bold')
    row(pdf, y, {
      date: texts.total,
      item: '',
      payer: '',
      gross: formatMoney(gross, currency),
      fee: formatMoney(fee, currency),
      net: formatMoney(net, currency),
    })
    pdf.font('regular')
    y += lineHeight
  }
  pdf.end()
}

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** The names of the columns, with a line below and the page's number. @returns where the first entry goes. */
function head(pdf: PDFKit.PDFDocument, y: number, page: number): number {
  pdf.font('bold').fontSize(9)
  row(pdf, y, columns)
  pdf
    .moveTo(margin, y + 14)
    .lineTo(pdf.page.width - margin, y + 14)
    .lineWidth(0.5)
    .strokeColor('#999')
    .stroke()
  pdf.font('regular').fontSize(8).fillColor('#555')
  // Above the bottom margin: below it, PDFKit would begin another page.
  pdf.text(texts.page(page), margin, pdf.page.height - margin - 12, {
    width: pdf.page.width - 2 * margin,
    align: 'right',
  })
  pdf.fontSize(9).fillColor('#000')
  return y + lineHeight + 2
}

function row(pdf: PDFKit.PDFDocument, y: number, cells: Readonly<Record<Column, string>>): void {
  for (const [name, { x, width, ...rest }] of Object.entries(table))
    pdf.text(cells[name as Column], x, y, { width, height: lineHeight - 4, ellipsis: true, lineBreak: false, ...rest })
}

/** The font has Latin letters. Other text would print as empty boxes, so its fallback takes its place. */
const printable = (text: string, fallback: string): string =>
  /^[\u0020-\u007E\u00A0-\u00FF\u0131\u0152\u0153\u2013\u2014\u2018-\u201E\u2022\u2026\u20AC\u2122]*$/.test(text)
    ? text
    : fallback
