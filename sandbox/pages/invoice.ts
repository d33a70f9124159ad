import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { collectInvoice } from '../billing/invoice.ts'
import { settleSubscription } from '../billing/subscription.ts'
import type { Context } from '../context.ts'
import type { Kinds } from '../store/kinds.ts'
import { authenticationBody } from './checkout-view.ts'
import { hasFormToken } from './form-token.ts'
import { cardHint, messageBody, sendPage, wayBack } from './layout.ts'
import type { PagesOptions } from './pages.ts'

type Invoice = Kinds['invoice']
type Request = FastifyRequest<{ Params: { id: string } }>

/** The page of an invoice, where its buyer confirms with their bank and pays it with the subscription's card. */
export async function invoicePages(app: FastifyInstance, { contextOf, committed, base }: PagesOptions): Promise<void> {
  app.get('/invoice/:id', (request: Request, reply) => {
    const context = contextOf()
    return show(context, reply, context.store.find('invoice', '', request.params.id))
  })

  app.get('/invoice/:id/pdf', (request: Request, reply) => reply.redirect(`${base}/invoice/${request.params.id}`, 303))

  app.post('/invoice/:id', (request: Request, reply) => {
    const context = contextOf()
    const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
    const { invoice, declined } = context.store.transaction(() => act(context, request.params.id, form))
    committed()
    return show(context, reply, invoice, declined)
  })

  function act(context: Context, id: string, form: URLSearchParams): { invoice?: Invoice; declined?: string } {
    const invoice = context.store.find('invoice', '', id)
    const subscriptionId = invoice?.parent?.subscription_details?.subscription
    if (invoice?.status !== 'open' || !subscriptionId) return { invoice }
    if (!hasFormToken(form, context.store.hidden('invoice', id).form_token)) return { invoice }
    if (form.get('answer') !== 'confirm') return { invoice, declined: 'Your bank has not confirmed.' }
    const subscription = context.store.get('subscription', subscriptionId)
    const outcome = collectInvoice(context, invoice, subscription, 'authenticated')
    if (outcome.paid) settleSubscription(context, context.store.get('subscription', subscriptionId), id)
    return { invoice: context.store.get('invoice', id), ...(!outcome.paid && { declined: outcome.decline.message }) }
  }

  function show(context: Context, reply: FastifyReply, invoice: Invoice | undefined, declined?: string): FastifyReply {
    if (invoice?.status === 'open' && !declined) return ask(context, reply, invoice)
    const [heading, text, status] = sayOf(invoice, declined)
    return sendPage(reply, {
      title: heading,
      body: messageBody(heading, text, wayBack(context)),
      hint: cardHint,
      base,
      status,
    })
  }

  function ask(context: Context, reply: FastifyReply, invoice: Invoice): FastifyReply {
    const subscriptionId = invoice.parent?.subscription_details?.subscription
    const subscription = subscriptionId ? context.store.get('subscription', subscriptionId) : undefined
    const method = subscription?.default_payment_method
    return sendPage(reply, {
      title: `Invoice ${invoice.number}`,
      body: authenticationBody({
        merchant: context.merchant,
        last4: (method && context.store.get('payment_method', method).card?.last4) ?? '',
        amount: invoice.amount_remaining,
        action: `${base}/invoice/${invoice.id}`,
        formToken: context.store.hidden('invoice', invoice.id).form_token,
      }),
      hint: cardHint,
      base,
    })
  }
}

function sayOf(invoice: Invoice | undefined, declined: string | undefined): [string, string, number] {
  if (!invoice || invoice.status === 'draft') return ['Invoice not found', 'There is no such invoice.', 404]
  if (declined) return ['The invoice was not paid', `${declined} Open this page again to try once more.`, 402]
  if (invoice.status === 'paid') return ['The invoice is paid', 'Thank you. Nothing else is due.', 200]
  return ['The invoice is closed', 'It does not have to be paid any more.', 410]
}
