import { topUp } from '../billing/top-up.ts'
import { errors } from '../http/errors.ts'
import { fromPath, mergeMetadata } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { integer, metadata, required, string, usd } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'

export const topups: Resource = {
  kind: 'topup',
  expandable: ['balance_transaction'],
  routes: [
    route(
      'POST',
      '/v1/topups',
      {
        amount: required(integer({ min: 1, max: 99_999_999 })),
        currency: required(usd()),
        description: string(),
        metadata: metadata(),
      },
      (context, { amount, description, metadata: wanted }) => {
        if (context.account) throw errors.state('This sandbox tops up the platform alone.')
        return topUp(context, amount, {
          ...(description !== undefined && { description }),
          metadata: mergeMetadata({}, wanted),
        })
      },
    ),
    route('GET', '/v1/topups', pagingFields, (context, paging) => listPage(context, 'topup', '/v1/topups', paging)),
    route('GET', '/v1/topups/:id', {}, (context, _params, id) => fromPath(context, 'topup', id)),
  ],
}
