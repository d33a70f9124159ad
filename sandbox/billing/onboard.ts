import { type Context, onAccount } from '../context.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { updated } from '../webhooks/emit.ts'

type Account = Kinds['account']

export type Onboarded = {
  first: string
  last: string
  email: string
  born: { day: number; month: number; year: number }
  website: string | null
  bank: { routing: string | null; last4: string }
}

/** Gives an account all that was due: it can take payments and be paid out from now on. Only test data is kept. */
export function completeAccount(context: Context, account: Account, about: Onboarded): Account {
  const capabilities = Object.fromEntries(Object.keys(account.capabilities ?? {}).map((name) => [name, 'active']))
  const nothingDue = { currently_due: [], disabled_reason: null, eventually_due: [], past_due: [] }
  const none = { alternatives: [], current_deadline: null, errors: [], pending_verification: [], ...nothingDue }
  return updated(onAccount(context, account.id), 'account', 'account.updated', {
    ...account,
    ...(account.business_profile && {
      business_profile: { ...account.business_profile, url: account.business_profile.url ?? about.website },
    }),
    business_type: account.business_type ?? 'individual',
    capabilities,
    charges_enabled: capabilities.card_payments === 'active',
    details_submitted: true,
    email: account.email ?? about.email,
    external_accounts: {
      object: 'list',
      data: [bankAccount(account, about)],
      has_more: false,
      url: `/v1/accounts/${account.id}/external_accounts`,
    },
    payouts_enabled: true,
    requirements: none,
    tos_acceptance: { date: context.now, ip: '127.0.0.1', user_agent: null },
  })
}

const bankAccount = (account: Account, { first, last, bank }: Onboarded) => ({
  id: newId('ba'),
  object: 'bank_account' as const,
  account: account.id,
  account_holder_name: `${first} ${last}`,
  account_holder_type: 'individual',
  account_type: null,
  available_payout_methods: ['standard' as const],
  bank_name: 'STRIPE TEST BANK',
  country: account.country ?? 'US',
  currency: account.default_currency ?? 'usd',
  default_for_currency: true,
  fingerprint: null,
  last4: bank.last4,
  metadata: {},
  routing_number: bank.routing,
  status: 'new',
})
