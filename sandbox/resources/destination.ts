import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'

/** A connected account that can receive transfers, or Stripe's refusal that names the parameter. */
export function requireDestination(context: Context, id: string, param: string): void {
  const account = context.store.find('account', '', id)
  if (!account || 'deleted' in account) throw errors.missing('destination', id, param, 400)
  if (account.capabilities?.transfers !== 'active')
    throw errors.invalidParam(
      param,
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
      'insufficient_capabilities_for_transfer',
    )
}
