import { fromPath } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { string } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'

export const charges: Resource = {
  kind: 'charge',
  expandable: ['application_fee', 'balance_transaction', 'customer', 'payment_intent', 'source_transfer', 'transfer'],
  routes: [
    route(
      'GET',
      '/v1/charges',
      { ...pagingFields, customer: string(), payment_intent: string(), transfer_group: string() },
      (context, { customer, payment_intent, transfer_group, ...paging }) =>
        listPage(context, 'charge', '/v1/charges', paging, { customer, payment_intent, transfer_group }),
    ),
    route('GET', '/v1/charges/:id', {}, (context, _params, id) => fromPath(context, 'charge', id)),
  ],
}
