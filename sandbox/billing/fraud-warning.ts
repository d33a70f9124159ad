import type { Context } from '../context.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { created, updated } from '../webhooks/emit.ts'

type Warning = Kinds['radar.early_fraud_warning']

/** The buyer's bank believes that somebody else has paid with the card. A dispute often follows, unless the money goes back first. */
export function warnOfFraud(context: Context, charge: Kinds['charge']): Warning {
  return created(context, 'radar.early_fraud_warning', 'radar.early_fraud_warning.created', {
    id: newId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: true,
    charge: charge.id,
    created: context.now,
    fraud_type: 'made_with_stolen_card',
    livemode: false,
    ...(charge.payment_intent && { payment_intent: charge.payment_intent }),
  })
}

/** Once a charge is refunded or disputed, nothing can be done about its warning. */
export function settleWarnings(context: Context, charge: string): void {
  const where = { charge, actionable: true }
  for (const warning of context.store.list('radar.early_fraud_warning', { account: context.account, where }).data)
    updated(context, 'radar.early_fraud_warning', 'radar.early_fraud_warning.updated', {
      ...warning,
      actionable: false,
    })
}
