import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'
import { fromPath, mergeMetadata } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { email, metadata, object, oneOf, string, unsettable } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import { newId, randomText } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { created, updated } from '../webhooks/emit.ts'

type Customer = Kinds['customer']

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

const fields = {
  description: string(),
  email: email(),
  metadata: unsettable(metadata()),
  name: string(256),
}

export const customers: Resource = {
  kind: 'customer',
  expandable: ['invoice_settings.default_payment_method'],
  routes: [
    route('POST', '/v1/customers', fields, (context, params) =>
      createCustomer(context, { ...params, metadata: mergeMetadata({}, params.metadata) }),
    ),
    route('GET', '/v1/customers', { ...pagingFields, email: string() }, (context, { email: address, ...paging }) =>
      listPage(context, 'customer', '/v1/customers', paging, { email: address }),
    ),
    route('GET', '/v1/customers/:id', {}, (context, _params, id) => fromPath(context, 'customer', id)),
    route(
      'POST',
      '/v1/customers/:id',
      { ...fields, invoice_settings: object({ default_payment_method: string() }) },
      (context, params, id) => {
        const customer = fromPath(context, 'customer', id)
        const method = params.invoice_settings?.default_payment_method
        if (method && context.store.find('payment_method', context.account, method)?.customer !== id)
          throw errors.missing('payment_method', method, 'invoice_settings[default_payment_method]', 400)
        return updated(context, 'customer', 'customer.updated', {
          ...customer,
          description: params.description ?? customer.description,
          email: params.email ?? customer.email,
          invoice_settings: method
            ? { ...customer.invoice_settings, default_payment_method: method }
            : customer.invoice_settings,
          metadata: mergeMetadata(customer.metadata, params.metadata),
          name: params.name ?? customer.name ?? null,
        })
      },
    ),
    route(
      'GET',
      '/v1/customers/:id/payment_methods',
      { ...pagingFields, type: oneOf('card') },
      (context, { type, ...paging }, id) => {
        fromPath(context, 'customer', id)
        return listPage(context, 'payment_method', `/v1/customers/${id}/payment_methods`, paging, {
          customer: id,
          type,
        })
      },
    ),
  ],
}
