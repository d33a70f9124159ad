import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { completeAccount } from '../billing/onboard.ts'
import type { Context } from '../context.ts'
import type { LinkHidden, StoredAccountLink } from '../store/kinds.ts'
import type { FormState } from './field.ts'
import { hasFormToken } from './form-token.ts'
import { messageBody, plainHint, sendPage } from './layout.ts'
import { type OnboardingField, readOnboarding, testDataFor } from './onboarding-input.ts'
import { onboardingBody } from './onboarding-view.ts'
import type { PagesOptions } from './pages.ts'

type Request = FastifyRequest<{ Params: { id: string } }>

/** How long the form may stay open once the link was opened in time. */
const openSeconds = 3600

/** The page behind an account link: it completes the account, then sends the person back. */
export async function onboardingPages(
  app: FastifyInstance,
  { contextOf, committed, base }: PagesOptions,
): Promise<void> {
  app.get('/onboarding/:id', (request: Request, reply) => {
    const context = contextOf()
    const link = context.store.find('account_link', '', request.params.id)
    if (!link) return notFound(reply)
    const hidden = context.store.hidden('account_link', link.id)
    if (hidden.completed) return reply.redirect(link.return_url, 303)
    if (isOver(context, link, hidden)) return reply.redirect(link.refresh_url, 303)
    if (hidden.opened_at === null)
      context.store.transaction(() =>
        context.store.setHidden('account_link', link.id, { ...hidden, opened_at: context.now }),
      )
    const { email } = context.store.get('account', link.account)
    return showForm(reply, context, link, { values: email ? { email } : {}, errors: {} })
  })

  app.post('/onboarding/:id', (request: Request, reply) => {
    const context = contextOf()
    const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
    const answer = context.store.transaction(() => submit(context, request.params.id, form, reply))
    committed()
    return answer()
  })

  function submit(context: Context, id: string, form: URLSearchParams, reply: FastifyReply): () => FastifyReply {
    const link = context.store.find('account_link', '', id)
    if (!link) return () => notFound(reply)
    const hidden = context.store.hidden('account_link', link.id)
    if (hidden.completed) return () => reply.redirect(link.return_url, 303)
    if (isOver(context, link, hidden)) return () => reply.redirect(link.refresh_url, 303)
    if (!hasFormToken(form, hidden.form_token)) return () => staleForm(reply, link)
    const account = context.store.get('account', link.account)
    if (form.get('fill') === 'test')
      return () => showForm(reply, context, link, { values: testDataFor(account.email), errors: {} })
    const input = readOnboarding(form, context.now, account.country)
    if (!input.ok) return () => showForm(reply, context, link, input.state)
    completeAccount(context, account, input.identity)
    context.store.setHidden('account_link', link.id, { ...hidden, completed: true })
    return () => reply.redirect(link.return_url, 303)
  }

  function showForm(
    reply: FastifyReply,
    context: Context,
    link: StoredAccountLink,
    state: FormState<OnboardingField>,
  ): FastifyReply {
    const wrong = Object.keys(state.errors).length > 0
    return sendPage(reply, {
      title: wrong ? 'Error: Set up your payouts' : 'Set up your payouts',
      body: onboardingBody({
        context,
        country: context.store.get('account', link.account).country,
        state,
        action: `${base}/onboarding/${link.id}`,
        formToken: context.store.hidden('account_link', link.id).form_token,
        leaveUrl: link.return_url,
        words: {
          heading: 'Set up your payouts',
          lead: 'Tell us who you are and where to send what you earn. It takes about a minute.',
          button: 'Finish setup',
        },
      }),
      hint: plainHint,
      base,
      status: wrong ? 422 : 200,
      targets: [link.return_url, link.refresh_url],
    })
  }

  const notFound = (reply: FastifyReply) =>
    sendPage(reply, {
      title: 'Link not found',
      body: messageBody('Link not found', 'The link is incomplete or was never valid. Go back and ask for a new one.'),
      hint: plainHint,
      base,
      status: 404,
    })

  const staleForm = (reply: FastifyReply, link: StoredAccountLink) =>
    sendPage(reply, {
      title: 'Please try again',
      body: messageBody('Please try again', 'The form did not come from this page, so nothing was done with it.', {
        href: `${base}/onboarding/${link.id}`,
        label: 'Open the page again',
      }),
      hint: plainHint,
      base,
      status: 403,
    })
}

/** A link is opened within minutes; then its form has an hour. */
const isOver = (context: Context, link: StoredAccountLink, { opened_at: opened }: LinkHidden): boolean =>
  context.now > (opened === null ? link.expires_at : opened + openSeconds)
