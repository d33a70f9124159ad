import { fromPath } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { string } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'

/** Made by a checkout in `setup` mode and by the billing portal; the API shows them. */
export const setupIntents: Resource = {
  kind: 'setup_intent',
  expandable: ['customer', 'latest_attempt', 'payment_method'],
  routes: [
    route(
      'GET',
      '/v1/setup_intents',
      { ...pagingFields, customer: string(), payment_method: string() },
      (context, { customer, payment_method, ...paging }) =>
        listPage(context, 'setup_intent', '/v1/setup_intents', paging, { customer, payment_method }),
    ),
    route('GET', '/v1/setup_intents/:id', {}, (context, _params, id) => fromPath(context, 'setup_intent', id)),
  ],
}
