import type { Context } from '../context.ts'
import { newId } from '../store/ids.ts'
import type { Buyer, Kinds } from '../store/kinds.ts'
import { emit } from '../webhooks/emit.ts'

type Intent = Kinds['payment_intent']
type PaymentMethod = Kinds['payment_method']

/** How long a bank takes to answer a debit. */
const clearingSeconds = 4 * 86_400

/** Stripe's account numbers for tests: the first pays, the others fail once they are debited. */
export const testAccounts: Readonly<Record<string, 'fails' | 'pays'>> = {
  '000123456789': 'pays',
  '000222222227': 'fails',
  '000111111116': 'fails',
}

/** Keeps a bank account: its last four digits. The number is never stored. */
export function createBankAccount(
  context: Context,
  number: string,
  holder: Pick<Buyer, 'email' | 'name'>,
): PaymentMethod {
  const method = context.store.insert('payment_method', context.account, {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: { address: null, email: holder.email, name: holder.name, phone: null, tax_id: null },
    created: context.now,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'us_bank_account',
    us_bank_account: {
      account_holder_type: 'individual',
      account_type: 'checking',
      bank_name: 'STRIPE TEST BANK',
      financial_connections_account: null,
      fingerprint: null,
      last4: number.slice(-4),
      networks: { preferred: 'ach', supported: ['ach'] },
      routing_number: '110000000',
      status_details: null,
    },
  })
  context.store.setHidden('payment_method', method.id, { behaviour: { debit: testAccounts[number] ?? 'fails' } })
  return method
}

/** Asks the bank for the money. The answer takes days. */
export function beginDebit(context: Context, intent: Intent, methodId: string): Intent {
  const processing = context.store.save<'payment_intent'>({
    ...intent,
    last_payment_error: null,
    next_action: null,
    payment_method: methodId,
    payment_method_types: ['card', 'us_bank_account'],
    status: 'processing',
  })
  context.store.schedule(intent.id, context.now + clearingSeconds)
  emit(context, 'payment_intent.processing', processing)
  return processing
}
