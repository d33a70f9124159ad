import { fromPath } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { string } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'

export const applicationFees: Resource = {
  kind: 'application_fee',
  expandable: ['account', 'balance_transaction', 'charge', 'originating_transaction'],
  routes: [
    route('GET', '/v1/application_fees', { ...pagingFields, charge: string() }, (context, { charge, ...paging }) =>
      listPage(context, 'application_fee', '/v1/application_fees', paging, { charge }),
    ),
    route('GET', '/v1/application_fees/:id', {}, (context, _params, id) => fromPath(context, 'application_fee', id)),
  ],
}
