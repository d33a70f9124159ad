import { fromPath } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { string } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'

export const transfers: Resource = {
  kind: 'transfer',
  expandable: ['balance_transaction', 'destination', 'destination_payment', 'source_transaction'],
  routes: [
    route(
      'GET',
      '/v1/transfers',
      { ...pagingFields, destination: string(), transfer_group: string() },
      (context, { destination, transfer_group, ...paging }) =>
        listPage(context, 'transfer', '/v1/transfers', paging, { destination, transfer_group }),
    ),
    route('GET', '/v1/transfers/:id', {}, (context, _params, id) => fromPath(context, 'transfer', id)),
  ],
}
