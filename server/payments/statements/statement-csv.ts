import { csvLines, csvStart } from '@ovation/contract/csv'
import { statementTexts as texts } from '@ovation/contract/texts/statements'
import type { Database } from '../../postgres/database.ts'
import { formatMoney } from '../format-money.ts'
import { type Month, readEntries } from './read-entries.ts'

const { columns } = texts

/**
 * Streams the readable statement as CSV, some lines at a time: a creator may have millions (LOOP-21). The head comes with the first
 * lines, so that a database that is too busy to read them fails the request rather than the file.
 */
export async function* readStatementCsv(
  database: Database,
  profileId: string,
  month: Month | null,
): AsyncGenerator<string> {
  const head =
    csvStart +
    csvLines([[columns.date, columns.item, columns.payer, columns.gross, columns.fee, columns.net, columns.currency]])
  let isFirst = true
  for await (const entries of readEntries(database, profileId, month)) {
    const lines = csvLines(
      entries.map(({ at, item, payer, gross, fee, net, currency }) => [
        at.toISOString().slice(0, 10),
        item,
        payer,
        ...[gross, fee, net].map((cents) => formatMoney(cents, currency)),
        currency.toUpperCase(),
      ]),
    )
    yield isFirst ? head + lines : lines
    isFirst = false
  }
  if (isFirst) yield head
}
