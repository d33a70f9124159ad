import type { FastifyInstance } from 'fastify'
import { type ControlOptions, control } from './control.ts'
import { type ApiOptions, api } from './http/api.ts'
import { type PagesOptions, pages } from './pages/pages.ts'
import { accountLinks } from './resources/account-links.ts'
import { accounts } from './resources/accounts.ts'
import { applicationFees } from './resources/application-fees.ts'
import { balance } from './resources/balance.ts'
import { balanceTransactions } from './resources/balance-transactions.ts'
import { billingPortalSessions } from './resources/billing-portal-sessions.ts'
import { capabilities } from './resources/capabilities.ts'
import { charges } from './resources/charges.ts'
import { checkoutSessions } from './resources/checkout-sessions.ts'
import { coupons } from './resources/coupons.ts'
import { customers } from './resources/customers.ts'
import { disputes } from './resources/disputes.ts'
import { earlyFraudWarnings } from './resources/early-fraud-warnings.ts'
import { events } from './resources/events.ts'
import { invoicePayments } from './resources/invoice-payments.ts'
import { invoices } from './resources/invoices.ts'
import { oauth } from './resources/oauth.ts'
import { paymentIntents } from './resources/payment-intents.ts'
import { paymentMethods } from './resources/payment-methods.ts'
import { payouts } from './resources/payouts.ts'
import { prices } from './resources/prices.ts'
import { products } from './resources/products.ts'
import { promotionCodes } from './resources/promotion-codes.ts'
import { refunds } from './resources/refunds.ts'
import { setupAttempts } from './resources/setup-attempts.ts'
import { setupIntents } from './resources/setup-intents.ts'
import { subscriptions } from './resources/subscriptions.ts'
import { topups } from './resources/topups.ts'
import { transferReversals } from './resources/transfer-reversals.ts'
import { transfers } from './resources/transfers.ts'
import { webhookEndpoints } from './resources/webhook-endpoints.ts'

/** Stripe's API as far as the sandbox speaks it. A new resource is a new file and a line here. */
const resources = [
  accounts,
  capabilities,
  accountLinks,
  oauth,
  products,
  prices,
  coupons,
  promotionCodes,
  customers,
  paymentMethods,
  setupIntents,
  setupAttempts,
  billingPortalSessions,
  checkoutSessions,
  subscriptions,
  invoices,
  invoicePayments,
  paymentIntents,
  charges,
  refunds,
  disputes,
  earlyFraudWarnings,
  applicationFees,
  topups,
  transfers,
  transferReversals,
  payouts,
  balance,
  balanceTransactions,
  events,
  webhookEndpoints,
]

/** What browsers reach through the product's own origin. Everything else stays on the loopback port. */
export const publicPath = '/sandbox'

export type AppOptions = Omit<ApiOptions, 'resources'> & Omit<ControlOptions, 'contextOf'> & Pick<PagesOptions, 'base'>

/** The table of contents: the hosted pages, the controls of the sandbox, and the API with its 404 for all that is left. */
export async function buildApp(app: FastifyInstance, options: AppOptions): Promise<void> {
  const contextOf = () => options.contextOf({ id: null, idempotencyKey: null })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  await app.register(pages, { prefix: publicPath, contextOf, committed: options.committed, base: options.base })
  await app.register(control, {
    prefix: '/sandbox-control',
    advanceClock: options.advanceClock,
    committed: options.committed,
    contextOf,
  })
  await app.register(api, { ...options, resources })
}
