import { expireSession } from '../billing/checkout.ts'
import { createCustomer } from '../billing/customer.ts'
import { endSubscription } from '../billing/subscription.ts'
import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'
import { fromPath, mergeMetadata } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { email, metadata, object, oneOf, string, unsettable } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import type { Kinds } from '../store/kinds.ts'
import { emit, updated } from '../webhooks/emit.ts'

type Customer = Kinds['customer']

/** Ends what the customer pays for and closes what they were about to pay; what was paid stays on the books. */
function deleteCustomer(context: Context, customer: Customer): object {
  const theirs = { account: context.account, where: { customer: customer.id }, limit: 1000 }
  for (const subscription of context.store.list('subscription', theirs).data)
    if (subscription.ended_at === null) endSubscription(context, subscription, 'cancellation_requested')
  for (const session of context.store.list('checkout.session', theirs).data)
    if (session.status === 'open') expireSession(context, session)
  emit(context, 'customer.deleted', customer)
  return context.store.bury('customer', customer.id)
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
      listPage(context, 'customer', '/v1/customers', paging, { email: address, deleted: null }),
    ),
    // Unlike most, a deleted customer is still answered: `{ id, object, deleted: true }`.
    route(
      'GET',
      '/v1/customers/:id',
      {},
      (context, _params, id) =>
        context.store.find('customer', context.account, id) ?? fromPath(context, 'customer', id),
    ),
    route('DELETE', '/v1/customers/:id', {}, (context, _params, id) =>
      deleteCustomer(context, fromPath(context, 'customer', id)),
    ),
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
      { ...pagingFields, allow_redisplay: oneOf('always', 'limited', 'unspecified'), type: oneOf('card') },
      (context, { allow_redisplay, type, ...paging }, id) => {
        fromPath(context, 'customer', id)
        return listPage(context, 'payment_method', `/v1/customers/${id}/payment_methods`, paging, {
          allow_redisplay,
          customer: id,
          type,
        })
      },
    ),
  ],
}
