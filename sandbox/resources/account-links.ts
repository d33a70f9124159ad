import { errors } from '../http/errors.ts'
import { fromParam } from '../http/lookup.ts'
import { object, oneOf, required, string, url } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import { randomText } from '../store/ids.ts'

/** As at Stripe: an expired link leads to `refresh_url`. */
const lifetimeSeconds = 300

const fields = {
  account: required(string()),
  type: required(oneOf('account_onboarding', 'account_update')),
  refresh_url: required(url()),
  return_url: required(url()),
  collect: oneOf('currently_due', 'eventually_due'),
  collection_options: object({
    fields: oneOf('currently_due', 'eventually_due'),
    future_requirements: oneOf('include', 'omit'),
  }),
}

export const accountLinks: Resource = {
  kind: 'account_link',
  routes: [
    route('POST', '/v1/account_links', fields, (context, params) => {
      const account = fromParam({ ...context, account: '' }, 'account', params.account, 'account')
      if (params.type === 'account_update' && account.type === 'express')
        throw errors.invalidParam('type', 'You cannot create `account_update` type Account Links for this account.')
      const link = context.store.insert('account_link', '', {
        id: randomText(32),
        object: 'account_link',
        account: account.id,
        created: context.now,
        expires_at: context.now + lifetimeSeconds,
        refresh_url: params.refresh_url,
        return_url: params.return_url,
      })
      context.store.setHidden('account_link', link.id, {
        form_token: randomText(32),
        opened_at: null,
        completed: false,
      })
      return {
        object: 'account_link',
        created: link.created,
        expires_at: link.expires_at,
        url: `${context.pagesUrl}/onboarding/${link.id}`,
      }
    }),
  ],
}
