import type Stripe from 'stripe'
import { fromParam } from '../http/lookup.ts'
import { oneOf, required, string, url } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import { newId, randomText } from '../store/ids.ts'
import type { Wire } from '../store/wire.ts'

/** The way into the billing portal: one customer, one browser, for an hour once it was opened. */
export const billingPortalSessions: Resource = {
  kind: 'billing_portal.session',
  routes: [
    route(
      'POST',
      '/v1/billing_portal/sessions',
      { customer: required(string()), return_url: url(), locale: oneOf('auto', 'en') },
      (context, params): Wire<Stripe.BillingPortal.Session> => {
        const customer = fromParam(context, 'customer', params.customer, 'customer')
        const secret = randomText(40)
        const session = context.store.insert('billing_portal.session', '', {
          id: newId('bps'),
          object: 'billing_portal.session',
          configuration: 'bpc_sandbox',
          created: context.now,
          customer: customer.id,
          customer_account: null,
          flow: null,
          livemode: false,
          locale: params.locale ?? null,
          on_behalf_of: null,
          return_url: params.return_url ?? null,
          url: `${context.pagesUrl}/portal/${secret}`,
        })
        // The address is what lets somebody in; the id, which stands in logs, does not.
        context.store.insert('portal_entry', '', {
          id: secret,
          object: 'portal_entry',
          session: session.id,
          customer: customer.id,
          return_url: session.return_url,
          created: context.now,
        })
        context.store.setHidden('portal_entry', secret, {
          form_token: randomText(32),
          opened_at: null,
          attempt: null,
        })
        return session
      },
    ),
  ],
}
