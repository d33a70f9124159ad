import { fromPath } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { string } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'

export const paymentIntents: Resource = {
  kind: 'payment_intent',
  expandable: ['customer', 'latest_charge', 'payment_method', 'transfer_data.destination'],
  routes: [
    route('GET', '/v1/payment_intents', { ...pagingFields, customer: string() }, (context, { customer, ...paging }) =>
      listPage(context, 'payment_intent', '/v1/payment_intents', paging, { customer }),
    ),
    route('GET', '/v1/payment_intents/:id', {}, (context, _params, id) => fromPath(context, 'payment_intent', id)),
  ],
}
