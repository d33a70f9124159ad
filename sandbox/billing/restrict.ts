import { type Context, onAccount } from '../context.ts'
import type { Kinds } from '../store/kinds.ts'
import { emit, updated } from '../webhooks/emit.ts'
import { clientId } from './charge.ts'

/** Something has come up about the holder: no charges and no payouts until they have been through onboarding again. */
export function restrictAccount(context: Context, account: Kinds['account']): Kinds['account'] {
  const due = ['individual.verification.document']
  const capabilities = Object.fromEntries(Object.keys(account.capabilities ?? {}).map((name) => [name, 'inactive']))
  return updated(onAccount(context, account.id), 'account', 'account.updated', {
    ...account,
    capabilities,
    charges_enabled: false,
    payouts_enabled: false,
    requirements: {
      alternatives: [],
      current_deadline: null,
      currently_due: due,
      disabled_reason: 'requirements.past_due',
      errors: [],
      eventually_due: due,
      past_due: due,
      pending_verification: [],
    },
  })
}

/** The account's holder, or the platform, has ended the connection: the platform sees it no more. What it moved stays on the books. */
export function deauthorize(context: Context, account: string): void {
  emit(onAccount(context, account), 'account.application.deauthorized', {
    id: clientId,
    object: 'application',
    name: context.merchant,
  })
  context.store.bury('account', account)
}
