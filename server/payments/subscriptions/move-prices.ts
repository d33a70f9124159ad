import { sql } from '../../postgres/sql.ts'
import type { Payments } from '../payments.ts'

/** Notices in one transaction. */
const most = 500

/** Writes the notices of subscribers whose price moves, and requests the new price of those whose notice is over (OFFER-08). */
export async function movePrices({ database: { service } }: Pick<Payments, 'database'>): Promise<void> {
  for (;;) {
    const [written] = await service.rows<{ count: number }>(sql`select private.announce_price_moves(${most}) as count`)
    if (!written || written.count < most) break
  }
  await service.rows(sql`select private.request_due_price_moves()`)
}
