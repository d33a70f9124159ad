import { fromPath } from '../http/lookup.ts'
import { listOf, listPage, pagingFields } from '../http/paging.ts'
import { oneOf, string } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'

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
  ],
}
