import type { Context } from '../context.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { created } from '../webhooks/emit.ts'
import { book } from './balance.ts'

/** Money of the operator's own for the platform's balance. In the sandbox the bank answers at once. */
export function topUp(
  context: Context,
  amount: number,
  about: { description?: string; metadata?: Record<string, string> } = {},
): Kinds['topup'] {
  const id = newId('tu')
  const { description = null, metadata = {} } = about
  const entry = book(context, { type: 'topup', amount, source: id, description: description ?? 'Top-up' })
  return created(context, 'topup', 'topup.succeeded', {
    id,
    object: 'topup',
    amount,
    balance_transaction: entry.id,
    created: context.now,
    currency: 'usd',
    description,
    expected_availability_date: context.now,
    failure_code: null,
    failure_message: null,
    initiated_by: 'user',
    livemode: false,
    metadata,
    source: null,
    statement_descriptor: null,
    status: 'succeeded',
    transfer_group: null,
  })
}
