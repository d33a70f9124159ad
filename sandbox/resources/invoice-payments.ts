import { fromPath } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { object, oneOf, required, string } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'

export const invoicePayments: Resource = {
  kind: 'invoice_payment',
  expandable: ['invoice', 'payment.payment_intent'],
  routes: [
    route(
      'GET',
      '/v1/invoice_payments',
      {
        ...pagingFields,
        invoice: string(),
        payment: object({ type: required(oneOf('payment_intent')), payment_intent: string() }),
        status: oneOf('canceled', 'open', 'paid'),
      },
      (context, { invoice, payment, status, ...paging }) =>
        listPage(context, 'invoice_payment', '/v1/invoice_payments', paging, {
          invoice,
          status,
          'payment.payment_intent': payment?.payment_intent,
        }),
    ),
    route('GET', '/v1/invoice_payments/:id', {}, (context, _params, id) => fromPath(context, 'invoice_payment', id)),
  ],
}
