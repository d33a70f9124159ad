import type Stripe from 'stripe'
import { clientId } from '../billing/charge.ts'
import { deauthorize } from '../billing/restrict.ts'
import { OAuthError } from '../http/errors.ts'
import { required, string } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import { randomText } from '../store/ids.ts'

const lifetimeSeconds = 300

export const oauth: Resource = {
  kind: 'oauth',
  routes: [
    route(
      'POST',
      '/oauth/token',
      { grant_type: required(string()), code: string(), client_secret: string(), scope: string() },
      (context, params): Stripe.OAuthToken => {
        if (params.grant_type !== 'authorization_code')
          throw new OAuthError(
            'unsupported_grant_type',
            `This sandbox grants by authorization_code, not by ${params.grant_type}.`,
          )
        const code = context.store.find('oauth_code', '', params.code ?? '')
        if (!code) throw new OAuthError('invalid_grant', 'Authorization code does not exist.')
        if (code.used) throw new OAuthError('invalid_grant', 'This authorization code has already been used.')
        if (context.now > code.created + lifetimeSeconds)
          throw new OAuthError('invalid_grant', 'This authorization code has expired.')
        context.store.save<'oauth_code'>({ ...code, used: true })
        return {
          access_token: `sk_test_${randomText(48)}`,
          livemode: false,
          refresh_token: `rt_${randomText(32)}`,
          scope: 'read_write',
          stripe_publishable_key: `pk_test_${randomText(32)}`,
          stripe_user_id: code.account,
          token_type: 'bearer',
        }
      },
    ),
    route(
      'POST',
      '/oauth/deauthorize',
      { client_id: required(string()), stripe_user_id: required(string()) },
      (context, params): Stripe.OAuthDeauthorization => {
        const account = context.store.find('account', '', params.stripe_user_id)
        if (params.client_id !== clientId || !account || 'deleted' in account)
          throw new OAuthError(
            'invalid_client',
            `This application is not connected to stripe account ${params.stripe_user_id}, or that account does not exist.`,
          )
        deauthorize(context, account.id)
        return { stripe_user_id: account.id }
      },
    ),
  ],
}
