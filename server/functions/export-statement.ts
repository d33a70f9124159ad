import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { FastifyPluginAsync } from 'fastify'
import type { ApiOptions } from '../http/api.ts'
import { readStatement } from '../payments/statements/audit-file.ts'
import { countEntries, isMonth, type Month } from '../payments/statements/read-entries.ts'
import { readStatementCsv } from '../payments/statements/statement-csv.ts'
import { mostPdfEntries, writeStatementPdf } from '../payments/statements/statement-pdf.ts'
import { sql } from '../postgres/sql.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import { optionalOneOf, optionalText } from './fields.ts'
import type { Services } from './services.ts'
import { readLink, signLink } from './signed-link.ts'

const downloadPath = '/export-statement/download'
const fields = {
  format: optionalOneOf(['audit', 'csv', 'pdf'], { label: 'The format' }),
  month: optionalText({ label: 'The month', max: 7 }),
}

/**
 * `export-statement` {format?: 'audit' | 'csv' | 'pdf', month?: 'YYYY-MM'} → {url}: a link, valid for ten minutes. `csv` and `pdf` are the
 * user's payments and refunds to read (LOOP-21), a PDF of one month. `audit`, the default, is the user's own ledger account as CSV, whose
 * lines carry their hashes: `npm run verify-statement FILE` recomputes them offline.
 */
export const exportStatement = defineFunction({
  name: 'export-statement',
  fields,
  run: async ({ person, input, services, siteOrigin }) => {
    const { month } = input
    const format = input.format ?? 'audit'
    if (month !== null && !isMonth(month))
      throw functionErrors.invalidField('month', 'The month must look like 2026-01')
    if (format === 'pdf') {
      if (month === null) throw functionErrors.invalidField('month', 'The month is missing')
      await requirePdfSize(services, person.profileId, month)
    }
    const token = signLink(services.secrets.jwtSecret, 'statement link', person.profileId)
    const query = new URLSearchParams({
      token,
      ...(format !== 'audit' && { format }),
      ...(month !== null && { month }),
    })
    return { url: `${siteOrigin}/functions/v1${downloadPath}?${query}` }
  },
})

async function requirePdfSize({ database }: Services, profileId: string, month: Month): Promise<void> {
  if ((await countEntries(database, profileId, month, mostPdfEntries + 1)) > mostPdfEntries)
    throw functionErrors.statementTooLong(mostPdfEntries)
}

/** The link's target. It reads when it is opened, so that no copy is stored anywhere. */
export const statementDownloadRoute: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  app.get(downloadPath, async (request, reply) => {
    const { token, format, month } = request.query as Readonly<Record<string, unknown>>
    const { database, secrets, config } = services
    const profileId = typeof token === 'string' ? readLink(secrets.jwtSecret, 'statement link', token) : undefined
    if (profileId === undefined) throw functionErrors.exportLinkExpired()
    // Only the profile is signed: its owner may read every month in every format.
    const ofMonth = typeof month === 'string' && isMonth(month) ? month : null
    reply.header('cache-control', 'no-store')
    const named = (name: string) => reply.header('content-disposition', `attachment; filename="${name}"`)
    if (format === 'pdf' && ofMonth !== null) {
      await requirePdfSize(services, profileId, ofMonth)
      const [creator] = await database.service.rows<{ name: string }>(sql`
        select coalesce(p.display_name, p.username) as name from private.profiles p where p.id = ${profileId}`)
      const { productName: siteName } = config.operator
      const name = creator?.name ?? ''
      const pdf = await writeStatementPdf(database, { profileId, month: ofMonth, name, siteName })
      named(`statement-${ofMonth}.pdf`)
      return reply.header('content-type', 'application/pdf').send(pdf)
    }
    const lines = format === 'csv' ? readStatementCsv(database, profileId, ofMonth) : readStatement(database, profileId)
    const stream = Readable.from(lines, { objectMode: false })
    await once(stream, 'readable') // a failure before the first lines is an error, and not a broken file
    named(format === 'csv' ? `statement${ofMonth ? `-${ofMonth}` : ''}.csv` : 'statement-audit.csv')
    return reply.header('content-type', 'text/csv; charset=utf-8').send(stream)
  })
}
