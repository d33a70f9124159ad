import { fromPath } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { string } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'

export const balanceTransactions: Resource = {
  kind: 'balance_transaction',
  expandable: ['source'],
  routes: [
    route(
      'GET',
      '/v1/balance_transactions',
      { ...pagingFields, currency: string(3), source: string(), type: string() },
      (context, { currency, source, type, ...paging }) =>
        listPage(context, 'balance_transaction', '/v1/balance_transactions', paging, { currency, source, type }),
    ),
    route('GET', '/v1/balance_transactions/:id', {}, (context, _params, id) =>
      fromPath(context, 'balance_transaction', id),
    ),
  ],
}
