import { finalizeInvoice } from '../billing/invoice.ts'
import { withdrawInvoice } from '../billing/subscription.ts'
import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'
import { fromPath, mergeMetadata } from '../http/lookup.ts'
import { listOf, listPage, pagingFields } from '../http/paging.ts'
import { boolean, metadata, object, oneOf, required, string, unsettable } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import type { Kinds } from '../store/kinds.ts'
import { updated } from '../webhooks/emit.ts'
import { requireDestination } from './destination.ts'

/** Only a draft can still be paid to another account. */
function sendTo(context: Context, { id, status }: Kinds['invoice'], destination: string): void {
  if (status !== 'draft')
    throw errors.invalidParam('transfer_data', 'This invoice is finalized: its destination can no longer change.')
  requireDestination(context, destination, 'transfer_data[destination]')
  context.store.setHidden('invoice', id, { ...context.store.hidden('invoice', id), destination })
}

export const invoices: Resource = {
  kind: 'invoice',
  expandable: ['customer', 'default_payment_method', 'parent.subscription_details.subscription'],
  includable: {
    payments: (context, invoice) => {
      const { data } = context.store.list('invoice_payment', {
        account: context.account,
        where: { invoice: invoice.id },
        limit: 100,
      })
      return listOf(`/v1/invoice_payments?invoice=${invoice.id}`, data)
    },
  },
  routes: [
    route(
      'GET',
      '/v1/invoices',
      {
        ...pagingFields,
        customer: string(),
        status: oneOf('draft', 'open', 'paid', 'uncollectible', 'void'),
        subscription: string(),
      },
      (context, { customer, status, subscription, ...paging }) =>
        listPage(context, 'invoice', '/v1/invoices', paging, {
          customer,
          status,
          'parent.subscription_details.subscription': subscription,
        }),
    ),
    route('GET', '/v1/invoices/:id', {}, (context, _params, id) => fromPath(context, 'invoice', id)),
    route(
      'POST',
      '/v1/invoices/:id',
      {
        auto_advance: boolean(),
        metadata: unsettable(metadata()),
        transfer_data: object({ destination: required(string()) }),
      },
      (context, params, id) => {
        const invoice = fromPath(context, 'invoice', id)
        if (params.transfer_data) sendTo(context, invoice, params.transfer_data.destination)
        const auto_advance = params.auto_advance ?? invoice.auto_advance
        if (auto_advance !== invoice.auto_advance) {
          if (invoice.status !== 'draft' && invoice.status !== 'open')
            throw errors.state('This invoice can no longer be collected automatically.')
          const due = invoice.next_payment_attempt ?? invoice.automatically_finalizes_at ?? context.now
          context.store.schedule(id, auto_advance ? due : null)
        }
        const merged = mergeMetadata(invoice.metadata, params.metadata)
        return updated(context, 'invoice', 'invoice.updated', { ...invoice, auto_advance, metadata: merged })
      },
    ),
    route('POST', '/v1/invoices/:id/finalize', { auto_advance: boolean() }, (context, params, id) => {
      const invoice = fromPath(context, 'invoice', id)
      if (invoice.status !== 'draft') throw errors.state('This invoice is already finalized.')
      const auto_advance = params.auto_advance ?? invoice.auto_advance
      const open = finalizeInvoice(context, { ...invoice, auto_advance })
      context.store.schedule(id, auto_advance ? context.now : null)
      return open
    }),
    route('POST', '/v1/invoices/:id/void', {}, (context, _params, id) => {
      const invoice = fromPath(context, 'invoice', id)
      if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
        throw errors.state('You can only void an invoice that is open or uncollectible.')
      withdrawInvoice(context, invoice)
      return fromPath(context, 'invoice', id)
    }),
  ],
}
