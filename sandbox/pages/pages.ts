import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { checkoutPages } from './checkout.ts'
import { invoicePages } from './invoice.ts'
import { assets, messageBody, plainHint, sendPage, wayBack } from './layout.ts'
import { oauthPages } from './oauth.ts'
import { onboardingPages } from './onboarding.ts'
import { portalPages } from './portal.ts'

export type PagesOptions = {
  contextOf: () => Context
  committed: () => void
  /** The path under which the browser finds the pages, without a slash at the end. */
  base: string
}

/** The hosted pages: checkout, onboarding, connecting an account, billing portal. Everything they load or post to lies under their own prefix. */
export async function pages(app: FastifyInstance, { contextOf, committed, base }: PagesOptions): Promise<void> {
  const options = { contextOf, committed, base } // without the prefix, which Fastify would apply once more
  for (const [name, asset] of Object.entries(assets))
    app.get(`/assets/${name}`, (_request, reply) =>
      reply
        .header('content-type', asset.type)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff')
        .send(asset.body),
    )
  await app.register(checkoutPages, options)
  await app.register(onboardingPages, options)
  await app.register(oauthPages, options)
  await app.register(portalPages, options)
  await app.register(invoicePages, options)
  app.setNotFoundHandler((_request, reply) =>
    sendPage(reply, {
      title: 'Page not found',
      body: messageBody('Page not found', 'There is no such page in the sandbox.', wayBack(contextOf())),
      hint: plainHint,
      base,
      status: 404,
    }),
  )
  app.setErrorHandler((_error, _request, reply) =>
    sendPage(reply, {
      title: 'Something went wrong',
      body: messageBody(
        'Something went wrong',
        'The sandbox could not finish this step, and nothing was charged. Please try again.',
      ),
      hint: plainHint,
      base,
      status: 500,
    }),
  )
}
