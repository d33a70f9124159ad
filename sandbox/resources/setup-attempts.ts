import { listPage, pagingFields } from '../http/paging.ts'
import { required, string } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'

/** How a card was saved; reached through its intent. */
export const setupAttempts: Resource = {
  kind: 'setup_attempt',
  expandable: ['customer', 'payment_method', 'setup_intent'],
  routes: [
    route(
      'GET',
      '/v1/setup_attempts',
      { ...pagingFields, setup_intent: required(string()) },
      (context, { setup_intent, ...paging }) =>
        listPage(context, 'setup_attempt', '/v1/setup_attempts', paging, { setup_intent }),
    ),
  ],
}
