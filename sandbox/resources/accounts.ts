import { type Country, countries, currencyOfCountry } from '../billing/currency.ts'
import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'
import { mergeMetadata } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { boolean, email, metadata, object, oneOf, string, unsettable, url } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import { newId, randomText } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { updated } from '../webhooks/emit.ts'

type Account = Kinds['account']

/** What Stripe asks of an individual before it pays out. The onboarding page asks for it, but needs no website. */
const requirementsIn = (country: Country): string[] => [
  'business_profile.url',
  'business_type',
  'external_account',
  'individual.dob.day',
  'individual.dob.month',
  'individual.dob.year',
  'individual.email',
  'individual.first_name',
  'individual.last_name',
  ...(country === 'US' ? ['individual.ssn_last_4'] : []),
  'tos_acceptance.date',
  'tos_acceptance.ip',
]

const capabilityFields = object({
  card_payments: object({ requested: boolean() }),
  transfers: object({ requested: boolean() }),
})

const businessProfileFields = object({
  mcc: string(4),
  name: string(),
  product_description: string(),
  support_email: email(),
  url: url(),
})

const commonFields = {
  business_profile: businessProfileFields,
  business_type: oneOf('individual', 'company', 'non_profit', 'government_entity'),
  capabilities: capabilityFields,
  default_currency: string(3),
  email: email(),
  metadata: unsettable(metadata()),
}

const createFields = {
  ...commonFields,
  country: oneOf(...countries),
  type: oneOf('express', 'standard'),
  controller: object({
    fees: object({ payer: oneOf('application', 'account') }),
    losses: object({ payments: oneOf('application', 'stripe') }),
    requirement_collection: oneOf('stripe'),
    stripe_dashboard: object({ type: oneOf('express', 'full') }),
  }),
}

type CapabilityRequest = { card_payments?: { requested?: boolean }; transfers?: { requested?: boolean } }

/** A connected account that has told nothing of itself yet: it can neither charge nor be paid. */
export function newAccount(type: 'express' | 'standard', now: number, country: Country = 'US'): Account {
  const due = { alternatives: [], current_deadline: null, disabled_reason: null, errors: [], pending_verification: [] }
  const requirements = requirementsIn(country)
  return {
    id: newId('acct'),
    object: 'account',
    business_profile: {
      mcc: null,
      minority_owned_business_designation: null,
      name: null,
      product_description: null,
      specified_commercial_transactions_act_url: null,
      support_address: null,
      support_email: null,
      support_phone: null,
      support_url: null,
      url: null,
    },
    business_type: null,
    capabilities: {},
    charges_enabled: false,
    controller:
      type === 'express'
        ? {
            fees: { payer: 'application_express' },
            is_controller: true,
            losses: { payments: 'application' },
            requirement_collection: 'stripe',
            stripe_dashboard: { type: 'express' },
            type: 'application',
          }
        : { type: 'account' },
    country,
    created: now,
    default_currency: currencyOfCountry[country],
    details_submitted: false,
    email: null,
    external_accounts: { object: 'list', data: [], has_more: false, url: '' },
    future_requirements: { ...due, currently_due: [], eventually_due: [], past_due: [] },
    metadata: {},
    payouts_enabled: false,
    requirements: {
      ...due,
      currently_due: requirements,
      disabled_reason: 'requirements.past_due',
      eventually_due: requirements,
      past_due: requirements,
    },
    settings: {
      branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
      card_payments: {
        statement_descriptor_prefix: null,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
      dashboard: { display_name: null, timezone: 'Etc/UTC' },
      payments: {
        statement_descriptor: null,
        statement_descriptor_kana: null,
        statement_descriptor_kanji: null,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
      payouts: {
        debit_negative_balances: true,
        schedule: { delay_days: 2, interval: 'daily' },
        statement_descriptor: null,
      },
    },
    tos_acceptance: { date: null, ip: null, user_agent: null },
    type,
  }
}

function withCapabilities(account: Account, request: CapabilityRequest): Account {
  const capabilities = { ...account.capabilities }
  for (const name of ['card_payments', 'transfers'] as const) {
    const requested = request[name]?.requested
    if (requested === true) capabilities[name] = account.details_submitted ? 'active' : 'inactive'
    if (requested === false) delete capabilities[name]
  }
  return { ...account, capabilities, charges_enabled: capabilities.card_payments === 'active' }
}

/** What an account can do when nobody says otherwise. */
const usualCapabilities: CapabilityRequest = { card_payments: { requested: true }, transfers: { requested: true } }

/** The kind of account that `type`, or the newer `controller`, asks for. */
function typeOf(params: {
  type?: 'express' | 'standard'
  controller?: { stripe_dashboard?: { type?: 'express' | 'full' } }
}) {
  if (params.type && params.controller)
    throw errors.exclusive('type', 'You may only specify one of these parameters: controller, type.')
  if (params.controller) return params.controller.stripe_dashboard?.type === 'express' ? 'express' : 'standard'
  return params.type ?? 'standard'
}

function requireCurrencyOf(country: Country, currency: string | undefined): void {
  if (currency !== undefined && currency.toLowerCase() !== currencyOfCountry[country])
    throw errors.invalidParam(
      'default_currency',
      `This sandbox pays accounts in ${country} out in ${currencyOfCountry[country]} alone.`,
    )
}

/** An account, or Stripe's refusal: it does not tell an unknown one from one that belongs to somebody else. */
export function requireAccount(context: Context, id: string): Account {
  const account = context.store.find('account', '', id)
  if (!account || 'deleted' in account) throw errors.accountInvalid(id)
  return account
}

export const accounts: Resource = {
  kind: 'account',
  routes: [
    route('POST', '/v1/accounts', createFields, (context, params) => {
      requireCurrencyOf(params.country ?? 'US', params.default_currency)
      const blank = newAccount(typeOf(params), context.now, params.country)
      const account: Account = {
        ...blank,
        ...(params.email && { email: params.email }),
        ...(params.business_type && { business_type: params.business_type }),
        ...(blank.business_profile && { business_profile: { ...blank.business_profile, ...params.business_profile } }),
        metadata: mergeMetadata({}, params.metadata),
      }
      account.external_accounts = {
        object: 'list',
        data: [],
        has_more: false,
        url: `/v1/accounts/${account.id}/external_accounts`,
      }
      return context.store.insert('account', '', withCapabilities(account, params.capabilities ?? usualCapabilities))
    }),
    route('GET', '/v1/accounts', pagingFields, (context, params) =>
      listPage(context, 'account', '/v1/accounts', params, { deleted: null }),
    ),
    route('GET', '/v1/accounts/:id', {}, (context, _params, id) => requireAccount(context, id)),
    route('POST', '/v1/accounts/:id', commonFields, (context, params, id) => {
      const account = requireAccount(context, id)
      requireCurrencyOf(account.country as Country, params.default_currency)
      const changed: Account = {
        ...account,
        ...(params.email && { email: params.email }),
        ...(params.business_type && { business_type: params.business_type }),
        ...(account.business_profile && {
          business_profile: { ...account.business_profile, ...params.business_profile },
        }),
        metadata: mergeMetadata(account.metadata, params.metadata),
      }
      // The account's own event: it goes to the platform with the field `account`.
      return updated(
        { ...context, account: id },
        'account',
        'account.updated',
        withCapabilities(changed, params.capabilities ?? {}),
      )
    }),
    route('POST', '/v1/accounts/:id/login_links', {}, (context, _params, id) => {
      const account = requireAccount(context, id)
      if (account.type !== 'express' || !account.details_submitted)
        throw errors.state(
          'Cannot create a login link for an account that is not Express or has not completed onboarding.',
        )
      return {
        object: 'login_link' as const,
        created: context.now,
        url: `${context.pagesUrl}/express/${id}/${randomText(24)}`,
      }
    }),
    route('DELETE', '/v1/accounts/:id', {}, (context, _params, id) => {
      const account = requireAccount(context, id)
      const { data } = context.store.list('balance_transaction', { account: id, limit: 1 })
      if (data.length > 0)
        throw errors.state('This account has moved money and stays on the books; it cannot be deleted.')
      context.store.remove(account.id)
      return { id: account.id, object: 'account', deleted: true }
    }),
  ],
}
