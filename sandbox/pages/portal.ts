import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  addCard,
  answerBank,
  makeDefault,
  type Outcome,
  payInvoice,
  readAccount,
  removeCard,
  setCanceled,
} from '../billing/portal.ts'
import type { Context } from '../context.ts'
import type { PortalEntry, PortalHidden } from '../store/kinds.ts'
import { type CheckoutField, readCardInput } from './card-input.ts'
import { authenticationBody } from './checkout-view.ts'
import type { FormState } from './field.ts'
import { hasFormToken } from './form-token.ts'
import { cardHint, messageBody, sendPage, wayBack } from './layout.ts'
import type { PagesOptions } from './pages.ts'
import { portalBody } from './portal-view.ts'

type Request = FastifyRequest<{ Params: { id: string } }>
type Visit = { context: Context; entry: PortalEntry; hidden: PortalHidden }

/** The link works for minutes, and for an hour once it was opened. */
const linkSeconds = 300
const openSeconds = 3600

/** The page on which a customer looks after cards, subscriptions and invoices. */
export async function portalPages(app: FastifyInstance, { contextOf, committed, base }: PagesOptions): Promise<void> {
  app.get('/portal/:id', (request: Request, reply) => {
    const visit = enter(request.params.id)
    if (!visit) return gone(reply, request.params.id)
    const { context, entry, hidden } = visit
    if (hidden.attempt) return reply.redirect(`${base}/portal/${entry.id}/authenticate`, 303)
    context.store.transaction(() => remember(visit, { opened_at: hidden.opened_at ?? context.now, notice: undefined }))
    return show(reply, visit, blank(context, entry))
  })

  app.post('/portal/:id', (request: Request, reply) =>
    act(request, reply, (visit, form) => {
      const { context, entry } = visit
      const action = form.get('action') ?? ''
      const target = form.get('target') ?? ''
      if (action !== 'add-card') return follow(reply, visit, changes[action]?.(context, entry.customer, target))
      const { email } = context.store.get('customer', entry.customer)
      const input = readCardInput(form, context.now, email)
      if (!input.ok) return () => show(reply, visit, input.state, input.decline?.message)
      const { decline, ...rest } = asDecline(addCard(context, entry.customer, input.card, input.buyer))
      if (!decline) return follow(reply, visit, rest.outcome)
      const { name, country, postalCode: postal } = input.buyer
      const state = { values: { email: email ?? '', name, country, postal }, errors: {}, focus: 'number' as const }
      return () => show(reply, visit, state, decline)
    }),
  )

  app.get('/portal/:id/authenticate', (request: Request, reply) => {
    const visit = enter(request.params.id)
    if (!visit) return gone(reply, request.params.id)
    const { context, entry, hidden } = visit
    if (!hidden.attempt) return reply.redirect(`${base}/portal/${entry.id}`, 303)
    return sendPage(reply, {
      title: 'Confirm with your bank',
      body: authenticationBody({
        merchant: context.merchant,
        last4: context.store.get('payment_method', hidden.attempt).card?.last4 ?? '',
        amount: null,
        action: `${base}/portal/${entry.id}/authenticate`,
        formToken: hidden.form_token,
      }),
      hint: cardHint,
      base,
    })
  })

  app.post('/portal/:id/authenticate', (request: Request, reply) =>
    act(request, reply, (visit, form) => {
      const { context, entry, hidden } = visit
      if (!hidden.attempt) return () => reply.redirect(`${base}/portal/${entry.id}`, 303)
      const answer = answerBank(context, entry.customer, hidden.attempt, form.get('answer') === 'confirm')
      return follow(reply, visit, answer)
    }),
  )

  /** Runs what a form asks for in one transaction. */
  function act(
    request: Request,
    reply: FastifyReply,
    work: (visit: Visit, form: URLSearchParams) => () => unknown,
  ): unknown {
    const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
    const answer = contextOf().store.transaction(() => {
      const visit = enter(request.params.id)
      if (!visit) return () => gone(reply, request.params.id)
      if (!hasFormToken(form, visit.hidden.form_token)) return () => stale(reply, visit.entry)
      return work(visit, form)
    })
    committed()
    return answer()
  }

  /** Says on the page what came of it. A reload does not do it again. */
  function follow(reply: FastifyReply, visit: Visit, outcome: Outcome | undefined): () => unknown {
    const authenticate = outcome && 'authenticate' in outcome ? outcome.authenticate : null
    const notice = outcome && !('authenticate' in outcome) ? noticeOf(outcome) : undefined
    remember(visit, { attempt: authenticate, notice })
    const page = `${base}/portal/${visit.entry.id}${authenticate ? '/authenticate' : ''}`
    return () => reply.redirect(page, 303)
  }

  function show(reply: FastifyReply, visit: Visit, state: FormState<CheckoutField>, declined?: string): FastifyReply {
    const { context, entry, hidden } = visit
    const wrong = Object.keys(state.errors).length > 0
    return sendPage(reply, {
      title: `${wrong || declined ? 'Error: ' : ''}Billing · ${context.merchant}`,
      body: portalBody({
        context,
        account: readAccount(context, entry.customer),
        returnUrl: entry.return_url,
        action: `${base}/portal/${entry.id}`,
        formToken: hidden.form_token,
        state,
        declined,
        notice: hidden.notice,
      }),
      hint: cardHint,
      base,
      status: wrong ? 422 : declined ? 402 : 200,
    })
  }

  /** The visit behind the address, while it is good. */
  function enter(id: string): Visit | undefined {
    const context = contextOf()
    const entry = context.store.find('portal_entry', '', id)
    if (!entry) return undefined
    const hidden = context.store.hidden('portal_entry', id)
    const until = hidden.opened_at === null ? entry.created + linkSeconds : hidden.opened_at + openSeconds
    const customer = context.store.get('customer', entry.customer)
    return context.now > until || 'deleted' in customer ? undefined : { context, entry, hidden }
  }

  function gone(reply: FastifyReply, id: string): FastifyReply {
    const context = contextOf()
    return sendPage(reply, {
      title: 'This link has expired',
      body: messageBody(
        'This link has expired',
        'For your safety the way to your billing page is open for a short time only. Go back and open it again.',
        wayBack(context, context.store.find('portal_entry', '', id)?.return_url),
      ),
      hint: cardHint,
      base,
      status: 410,
    })
  }

  const stale = (reply: FastifyReply, entry: PortalEntry) =>
    sendPage(reply, {
      title: 'Please try again',
      body: messageBody('Please try again', 'The form did not come from this page, so nothing was done with it.', {
        href: `${base}/portal/${entry.id}`,
        label: 'Open the page again',
      }),
      hint: cardHint,
      base,
      status: 403,
    })
}

type Change = (context: Context, customer: string, target: string) => Outcome
const changes: Readonly<Record<string, Change>> = {
  'default-card': (context, customer, id) => makeDefault(context, customer, id),
  'remove-card': removeCard,
  cancel: (context, customer, id) => setCanceled(context, customer, id, true),
  resume: (context, customer, id) => setCanceled(context, customer, id, false),
  pay: payInvoice,
}

function remember({ context, entry, hidden }: Visit, changed: Partial<PortalHidden>): void {
  context.store.setHidden('portal_entry', entry.id, { ...hidden, ...changed })
}

const asDecline = (outcome: Outcome) => ({
  outcome,
  decline: 'declined' in outcome ? outcome.declined.message : undefined,
})

function noticeOf(outcome: Exclude<Outcome, { authenticate: string }>): NonNullable<PortalHidden['notice']> {
  if ('done' in outcome) return { text: outcome.done, wrong: false }
  return {
    text: 'refused' in outcome ? outcome.refused : `${outcome.declined.message} Nothing was charged.`,
    wrong: true,
  }
}

const blank = (context: Context, { customer }: PortalEntry): FormState<CheckoutField> => ({
  values: { email: context.store.get('customer', customer).email ?? '', country: 'US' },
  errors: {},
})
