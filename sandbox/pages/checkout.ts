import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  answerAuthentication,
  type CheckoutOutcome,
  offersDebits,
  submitCheckout,
  submitDebit,
  successUrl,
} from '../billing/checkout.ts'
import type { Context } from '../context.ts'
import { isEmail } from '../http/params.ts'
import type { Buyer, Kinds } from '../store/kinds.ts'
import { readCardInput } from './card-input.ts'
import { authenticationBody, type CheckoutView, checkoutBody } from './checkout-view.ts'
import { wordsOf } from './checkout-words.ts'
import { hasFormToken } from './form-token.ts'
import { cardHint, messageBody, sendPage, wayBack } from './layout.ts'
import type { PagesOptions } from './pages.ts'

type Session = Kinds['checkout.session']
type Request = FastifyRequest<{ Params: { id: string } }>

/** The page on which a buyer pays a checkout session, and the step at the buyer's bank. */
export async function checkoutPages(app: FastifyInstance, { contextOf, committed, base }: PagesOptions): Promise<void> {
  app.get('/checkout/:id', (request: Request, reply) => {
    const context = contextOf()
    const session = context.store.find('checkout.session', '', request.params.id)
    return (
      closed(context, session, reply) ??
      (session && showForm(reply, { context, session, state: blank(context, session) }))
    )
  })

  app.post('/checkout/:id', (request: Request, reply) =>
    act(request, reply, (context, session, form) => {
      if (form.get('method') === 'us_bank_account' && offersDebits(context, session)) {
        const buyer = readDebtor(form, fixedEmail(context, session))
        if (!buyer) return () => showForm(reply, { context, session, state: blank(context, session) })
        const debited = submitDebit(context, session, form.get('account') ?? '', buyer)
        return () => follow(reply, { context, session, state: blank(context, session) }, debited)
      }
      const input = readCardInput(form, context.now, fixedEmail(context, session))
      if (!input.ok)
        return () => showForm(reply, { context, session, state: input.state, declined: input.decline?.message })
      const outcome = submitCheckout(context, session, input.card, input.buyer, input.keep)
      const { email, ...rest } = input.buyer
      const state = {
        values: {
          email,
          name: rest.name,
          country: rest.country,
          postal: rest.postalCode,
          expiry: form.get('expiry') ?? '',
          keep: input.keep ? 'yes' : '',
        },
        errors: {},
      }
      return () => follow(reply, { context, session, state }, outcome)
    }),
  )

  app.get('/checkout/:id/authenticate', (request: Request, reply) => {
    const context = contextOf()
    const session = context.store.find('checkout.session', '', request.params.id)
    const gone = closed(context, session, reply)
    if (gone || !session) return gone
    const { attempt } = context.store.hidden('checkout.session', session.id)
    if (!attempt) return reply.redirect(`${base}/checkout/${session.id}`, 303)
    const last4 = context.store.get('payment_method', attempt.payment_method).card?.last4 ?? ''
    return sendPage(reply, {
      title: 'Confirm with your bank',
      body: authenticationBody({
        merchant: context.merchant,
        last4,
        amount: session.amount_total,
        action: `${base}/checkout/${session.id}/authenticate`,
        formToken: context.store.hidden('checkout.session', session.id).form_token,
      }),
      hint: cardHint,
      base,
      targets: [session.success_url],
    })
  })

  app.post('/checkout/:id/authenticate', (request: Request, reply) =>
    act(request, reply, (context, session, form) => {
      const outcome = answerAuthentication(context, session, form.get('answer') === 'confirm')
      return () => follow(reply, { context, session, state: blank(context, session) }, outcome)
    }),
  )

  /** Runs what a submitted form asks for in one transaction, so that a second click finds the session already paid. */
  function act(
    request: Request,
    reply: FastifyReply,
    work: (context: Context, session: Session, form: URLSearchParams) => () => unknown,
  ): unknown {
    const context = contextOf()
    const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
    const answer = context.store.transaction(() => {
      const session = context.store.find('checkout.session', '', request.params.id)
      if (session?.status !== 'open') return () => closed(context, session, reply)
      const { form_token } = context.store.hidden('checkout.session', session.id)
      if (!hasFormToken(form, form_token)) return () => staleForm(reply, session)
      return work(context, session, form)
    })
    committed()
    return answer()
  }

  function follow(reply: FastifyReply, view: Omit<CheckoutView, 'base' | 'fixedEmail'>, outcome: CheckoutOutcome) {
    if (outcome.status === 'complete') return reply.redirect(successUrl(outcome.session), 303)
    if (outcome.status === 'expired') return closed(view.context, outcome.session, reply)
    if (outcome.status === 'authenticate')
      return reply.redirect(`${base}/checkout/${view.session.id}/authenticate`, 303)
    const state = { ...view.state, focus: 'number' as const } // the number was not sent back
    return showForm(reply, { ...view, state, declined: outcome.decline.message })
  }

  function showForm(reply: FastifyReply, view: Omit<CheckoutView, 'base' | 'fixedEmail'>): FastifyReply {
    const { context, session, state, declined } = view
    const wrong = Object.keys(state.errors).length > 0
    const title = `${wordsOf(context, session).button} · ${context.merchant}`
    return sendPage(reply, {
      title: wrong || declined ? `Error: ${title}` : title,
      body: checkoutBody({ ...view, base, fixedEmail: fixedEmail(context, session) }),
      hint: cardHint,
      base,
      status: wrong ? 422 : declined ? 402 : 200,
      targets: [session.success_url],
    })
  }

  /** The answer for a session that cannot be paid (any more); undefined when it can. */
  function closed(context: Context, session: Session | undefined, reply: FastifyReply): FastifyReply | undefined {
    if (session?.status === 'open') return undefined
    if (session?.status === 'complete') return reply.redirect(successUrl(session), 303)
    const way = wayBack(context, session?.cancel_url)
    return sendPage(reply, {
      title: session ? 'This checkout has expired' : 'Checkout not found',
      body: session
        ? messageBody(
            'This checkout has expired',
            'Nothing was charged. Go back and start again to get a fresh page.',
            way,
          )
        : messageBody('Checkout not found', 'The link is incomplete or was never valid. Nothing was charged.', way),
      hint: cardHint,
      base,
      status: session ? 410 : 404,
    })
  }

  const staleForm = (reply: FastifyReply, session: Session) =>
    sendPage(reply, {
      title: 'Please try again',
      body: messageBody('Please try again', 'The form did not come from this page, so nothing was done with it.', {
        href: `${base}/checkout/${session.id}`,
        label: 'Open the checkout again',
      }),
      hint: cardHint,
      base,
      status: 403,
    })
}

/** Who pays from a bank account, or undefined where the form says too little. */
function readDebtor(form: URLSearchParams, fixed: string | null): Buyer | undefined {
  const email = fixed ?? form.get('email') ?? ''
  const name = (form.get('name') ?? '').trim().slice(0, 200)
  return name !== '' && isEmail(email) ? { email, name, country: 'US', postalCode: '' } : undefined
}

/** A session that names its buyer fixes the address. */
function fixedEmail(context: Context, session: Session): string | null {
  if (session.customer_email) return session.customer_email
  return session.customer ? context.store.get('customer', session.customer).email : null
}

const blank = (context: Context, session: Session): CheckoutView['state'] => ({
  values: { email: fixedEmail(context, session) ?? '', country: 'US' },
  errors: {},
})
