import type { Context } from '../context.ts'
import { newId, randomText } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { created } from '../webhooks/emit.ts'

type Customer = Kinds['customer']

/** A customer, with their own prefix for invoice numbers. */
export function createCustomer(
  context: Context,
  about: {
    email?: string | null
    name?: string | null
    description?: string | null
    metadata?: Record<string, string>
  },
): Customer {
  return created(context, 'customer', 'customer.created', {
    id: newId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created: context.now,
    currency: null,
    default_source: null,
    delinquent: false,
    description: about.description ?? null,
    discount: null,
    email: about.email ?? null,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: about.metadata ?? {},
    name: about.name ?? null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  })
}
