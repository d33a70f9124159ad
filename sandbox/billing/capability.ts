import { type Context, onAccount } from '../context.ts'
import type { Kinds } from '../store/kinds.ts'
import { emit, updated } from '../webhooks/emit.ts'

type Account = Kinds['account']

/** What an account can be allowed to do, each for itself. */
export const capabilityNames = ['card_payments', 'transfers'] as const
export type CapabilityName = (typeof capabilityNames)[number]
export type CapabilityStatus = 'active' | 'inactive' | 'pending'

/** One capability, as an endpoint of its own shows it; undefined where it was never asked for. */
export function capabilityOf(account: Account, name: CapabilityName): Kinds['capability'] | undefined {
  const status = account.capabilities?.[name]
  if (!status) return undefined
  const due = status === 'inactive' ? (account.requirements?.currently_due ?? []) : []
  const requirements = {
    alternatives: [],
    current_deadline: null,
    currently_due: due,
    disabled_reason: status === 'inactive' ? ('requirements.fields_needed' as const) : null,
    errors: [],
    eventually_due: due,
    past_due: [],
    pending_verification: [],
  }
  return {
    id: name,
    object: 'capability',
    account: account.id,
    future_requirements: { ...requirements, currently_due: [], disabled_reason: null, eventually_due: [] },
    requested: true,
    requested_at: account.created ?? null,
    requirements,
    status,
  }
}

/** Stripe has come to see what an account can do in another way. */
export function setCapability(
  context: Context,
  account: Account,
  name: CapabilityName,
  status: CapabilityStatus,
): Account {
  const capabilities = { ...account.capabilities, [name]: status }
  const there = onAccount(context, account.id)
  const changed = updated(there, 'account', 'account.updated', {
    ...account,
    capabilities,
    charges_enabled: capabilities.card_payments === 'active',
  })
  const capability = capabilityOf(changed, name)
  if (capability) emit(there, 'capability.updated', capability)
  return changed
}

/** Whether a connected account can receive what is charged for it. */
export const receivesTransfers = (context: Context, account: string): boolean =>
  context.store.find('account', '', account)?.capabilities?.transfers === 'active'
