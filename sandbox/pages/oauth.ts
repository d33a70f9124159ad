import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientId } from '../billing/charge.ts'
import { completeAccount } from '../billing/onboard.ts'
import type { Context } from '../context.ts'
import { newAccount } from '../resources/accounts.ts'
import { newId, randomText } from '../store/ids.ts'
import type { OAuthRequest } from '../store/kinds.ts'
import type { FormState } from './field.ts'
import { hasFormToken } from './form-token.ts'
import { messageBody, plainHint, sendPage } from './layout.ts'
import { type Identity, type OnboardingField, readOnboarding, testDataFor } from './onboarding-input.ts'
import { onboardingBody } from './onboarding-view.ts'
import type { PagesOptions } from './pages.ts'

type Authorize = FastifyRequest<{ Querystring: Record<string, string | undefined> }>
type Request = FastifyRequest<{ Params: { id: string } }>

/** Of the accounts that are described here. */
const country = 'US'

/**
 * Connecting an existing account (OAuth). The sandbox has no accounts of its own to sign in to, so the person describes
 * one, and it exists from then on, ready to charge.
 */
export async function oauthPages(app: FastifyInstance, { contextOf, committed, base }: PagesOptions): Promise<void> {
  for (const path of ['/oauth/authorize', '/express/oauth/authorize'])
    app.get(path, (request: Authorize, reply) => {
      const context = contextOf()
      const { query } = request
      const problem = authorizeProblem(context, query)
      if (problem) return refuse(reply, problem, 400)
      const asked = context.store.transaction(() => {
        const redirect = { redirect_uri: query.redirect_uri ?? '', state: query.state ?? null }
        const made = { id: randomText(32), object: 'oauth_request' as const, created: context.now, ...redirect }
        context.store.insert('oauth_request', '', made)
        context.store.setHidden('oauth_request', made.id, { form_token: randomText(32), code: null })
        return made
      })
      return reply.redirect(`${base}/oauth/${asked.id}`, 303)
    })

  app.get('/oauth/:id', (request: Request, reply) => {
    const context = contextOf()
    const asked = context.store.find('oauth_request', '', request.params.id)
    if (!asked) return refuse(reply, 'The link is incomplete or was never valid.', 404)
    return showForm(reply, context, asked, { values: {}, errors: {} })
  })

  app.post('/oauth/:id', (request: Request, reply) => {
    const context = contextOf()
    const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
    const answer = context.store.transaction(() => submit(context, request.params.id, form, reply))
    committed()
    return answer()
  })

  function submit(context: Context, id: string, form: URLSearchParams, reply: FastifyReply): () => FastifyReply {
    const asked = context.store.find('oauth_request', '', id)
    if (!asked) return () => refuse(reply, 'The link is incomplete or was never valid.', 404)
    const { form_token, code: before } = context.store.hidden('oauth_request', id)
    if (!hasFormToken(form, form_token))
      return () => refuse(reply, 'The form did not come from this page, so nothing was done with it.', 403)
    if (before) return () => reply.redirect(answerUrl(asked, { code: before, scope: 'read_write' }), 303)
    if (form.get('fill') === 'test')
      return () => showForm(reply, context, asked, { values: testDataFor(null), errors: {} })
    const input = readOnboarding(form, context.now, country)
    if (!input.ok) return () => showForm(reply, context, asked, input.state)
    const code = connect(context, input.identity)
    context.store.setHidden('oauth_request', id, { form_token, code })
    return () => reply.redirect(answerUrl(asked, { code, scope: 'read_write' }), 303)
  }

  function showForm(
    reply: FastifyReply,
    context: Context,
    asked: OAuthRequest,
    state: FormState<OnboardingField>,
  ): FastifyReply {
    const wrong = Object.keys(state.errors).length > 0
    return sendPage(reply, {
      title: `${wrong ? 'Error: ' : ''}Connect your account`,
      body: onboardingBody({
        context,
        country,
        state,
        action: `${base}/oauth/${asked.id}`,
        formToken: context.store.hidden('oauth_request', asked.id).form_token,
        leaveUrl: answerUrl(asked, { error: 'access_denied', error_description: 'The user denied your request' }),
        words: {
          heading: 'Connect your account',
          lead: `${context.merchant} will be able to take payments for you and to see them. In the sandbox, describe the account that you connect.`,
          button: 'Connect account',
        },
      }),
      hint: plainHint,
      base,
      status: wrong ? 422 : 200,
      targets: [asked.redirect_uri],
    })
  }

  const refuse = (reply: FastifyReply, text: string, status: number) =>
    sendPage(reply, {
      title: 'Cannot connect',
      body: messageBody('This account cannot be connected', text),
      hint: plainHint,
      base,
      status,
    })
}

/** What is wrong with the address that the person was sent to; nothing is sent to a stranger's address. */
function authorizeProblem(context: Context, query: Record<string, string | undefined>): string | undefined {
  if (query.client_id !== clientId)
    return `No application matches the supplied client identifier. The sandbox’s is ${clientId}.`
  if (query.response_type !== 'code') return 'The parameter response_type must be “code”.'
  const target = query.redirect_uri ?? ''
  if (!URL.canParse(target)) return 'The parameter redirect_uri must be an address.'
  const { origin, hostname, protocol } = new URL(target)
  const known = origin === new URL(context.pagesUrl).origin || ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
  if (!known || !/^https?:$/.test(protocol))
    return 'The parameter redirect_uri must lead back to the site that you came from.'
  return undefined
}

/** A new account that has everything, and the code that stands for it. */
function connect(context: Context, identity: Identity): string {
  const blank = newAccount('standard', context.now, country)
  const account = { ...blank, capabilities: { card_payments: 'inactive' as const, transfers: 'inactive' as const } }
  context.store.insert('account', '', account)
  completeAccount(context, account, identity)
  const code = newId('ac')
  context.store.insert('oauth_code', '', {
    id: code,
    object: 'oauth_code',
    created: context.now,
    account: account.id,
    used: false,
  })
  return code
}

function answerUrl({ redirect_uri, state }: OAuthRequest, answer: Record<string, string>): string {
  const url = new URL(redirect_uri)
  for (const [name, value] of Object.entries({ ...answer, ...(state !== null && { state }) }))
    url.searchParams.set(name, value)
  return url.href
}
