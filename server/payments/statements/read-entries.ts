import { statementTexts as texts } from '@ovation/contract/texts/statements'
import { serviceRole } from '../../postgres/caller.ts'
import type { Database } from '../../postgres/database.ts'
import { fragment, sql } from '../../postgres/sql.ts'

/** A payment, refund, or reward of a creator's readable statement. Amounts are in cents; those of a refund are negative. */
export type StatementEntry = {
  readonly at: Date
  readonly item: string
  readonly payer: string
  /** Always in characters that a PDF's font has. */
  readonly payerUsername: string
  readonly gross: number
  readonly fee: number
  readonly net: number
  readonly currency: string
}

type Row = {
  at: string
  transaction_type: string
  status: string
  title: string | null
  username: string | null
  display_name: string | null
  gross: string
  fee: string
  net: string
  currency: string
}

/** A month as `YYYY-MM`, in UTC. */
export type Month = string
export const isMonth = (text: string): boolean => /^20\d\d-(0[1-9]|1[0-2])$/.test(text)

/** The condition for the transactions `t` of a creator's statement: of a month, or all. */
function isEntry(profileId: string, month: Month | null) {
  const from = `${month ?? '2000-01'}-01`
  return fragment`
    t.to_user_id = ${profileId} and t.transaction_type <> 'payout'
    and t.created_at >= ${from}::date::timestamp at time zone 'UTC'
    and t.created_at < case when ${month !== null}::boolean
      then (${from}::date + interval '1 month') at time zone 'UTC' else 'infinity' end`
}

/**
 * A creator's payments and refunds, oldest first, in pages: of a month, or all. Payouts are not earnings, so they are in the audit file and
 * in their own list.
 */
export async function* readEntries(
  database: Database,
  profileId: string,
  month: Month | null,
): AsyncGenerator<StatementEntry[]> {
  // Runs as the service: titles of posts and names of payers have to be read whatever the creator sees of them today. A signed link has
  // already settled whose statement it is.
  const reading = await database.read(serviceRole)
  try {
    await reading.rows(sql`
      declare entries no scroll cursor for
      select t.created_at::text as at, t.transaction_type, t.status, t.amount::text as gross, t.fee_amount::text as fee,
        t.net_amount::text as net, t.currency, payer.username, payer.display_name,
        coalesce(plan.name, post.title, product.title, booking.title) as title
      from public.transactions t
      left join public.transactions original on original.id = t.original_transaction_id and t.transaction_type = 'refund'
      left join public.subscription_products plan on plan.id = coalesce(t.product_id, original.product_id)
      left join private.posts post on post.id = coalesce(t.post_id, original.post_id)
      left join public.products product on product.id = coalesce(t.bought_product_id, original.bought_product_id)
      left join public.session_bookings booking on booking.transaction_id = coalesce(original.id, t.id)
      left join private.profiles payer on payer.id = t.from_user_id
      where ${isEntry(profileId, month)}
      order by t.created_at, t.id`)
    for await (const rows of reading.pages<Row>('entries')) yield rows.map(entryOf)
  } finally {
    await reading.close()
  }
}

const entryOf = (row: Row): StatementEntry => ({
  at: new Date(row.at),
  item: texts.item(row.transaction_type, row.status, row.title),
  payer: row.username ? row.display_name || row.username : texts.formerMember,
  payerUsername: row.username ? `@${row.username}` : texts.formerMember,
  gross: Number(row.gross),
  fee: Number(row.fee),
  net: Number(row.net),
  currency: row.currency,
})

/** The number of entries of a month, counted up to a limit. */
export async function countEntries(database: Database, profileId: string, month: Month, most: number): Promise<number> {
  const [{ count } = { count: 0 }] = await database.service.rows<{ count: number }>(sql`
    select count(*)::int as count from (
      select from public.transactions t where ${isEntry(profileId, month)} limit ${most}
    ) t`)
  return count
}
