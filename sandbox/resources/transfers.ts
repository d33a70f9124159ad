import { reverseTransfer, sendTransfer } from '../billing/transfer.ts'
import { errors } from '../http/errors.ts'
import { fromParam, fromPath, mergeMetadata } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { boolean, integer, metadata, required, string, usd } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import { requireDestination } from './destination.ts'

export const transfers: Resource = {
  kind: 'transfer',
  expandable: ['balance_transaction', 'destination', 'destination_payment', 'source_transaction'],
  routes: [
    route(
      'POST',
      '/v1/transfers',
      {
        amount: required(integer({ min: 1, max: 99_999_999 })),
        currency: required(usd()),
        destination: required(string()),
        description: string(1000),
        metadata: metadata(),
        source_transaction: string(),
        transfer_group: string(255),
      },
      (context, params) => {
        requireDestination(context, params.destination, 'destination')
        return sendTransfer(context, {
          amount: params.amount,
          destination: params.destination,
          description: params.description ?? null,
          metadata: mergeMetadata({}, params.metadata),
          group: params.transfer_group ?? null,
          ...(params.source_transaction && {
            source: fromParam(context, 'charge', params.source_transaction, 'source_transaction'),
          }),
        })
      },
    ),
    route(
      'GET',
      '/v1/transfers',
      { ...pagingFields, destination: string(), transfer_group: string() },
      (context, { destination, transfer_group, ...paging }) =>
        listPage(context, 'transfer', '/v1/transfers', paging, { destination, transfer_group }),
    ),
    route('GET', '/v1/transfers/:id', {}, (context, _params, id) => fromPath(context, 'transfer', id)),
    route(
      'POST',
      '/v1/transfers/:id/reversals',
      {
        amount: integer({ min: 1 }),
        description: string(1000),
        metadata: metadata(),
        refund_application_fee: boolean(),
      },
      (context, params, id) => {
        const transfer = fromPath(context, 'transfer', id)
        const left = transfer.amount - transfer.amount_reversed
        if (left === 0) throw errors.state('This transfer has already been fully reversed.')
        return reverseTransfer(context, id, {
          amount: params.amount ?? left,
          refundFee: params.refund_application_fee ?? false,
          refund: null,
          description: params.description ?? null,
          metadata: mergeMetadata({}, params.metadata),
        })
      },
    ),
    route('GET', '/v1/transfers/:id/reversals', pagingFields, (context, paging, id) => {
      fromPath(context, 'transfer', id)
      return listPage(context, 'transfer_reversal', `/v1/transfers/${id}/reversals`, paging, { transfer: id })
    }),
  ],
}
