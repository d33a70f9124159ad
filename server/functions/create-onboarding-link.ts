import { paths } from '@ovation/contract/paths'
import { refreshAccount } from '../payments/accounts/accounts.ts'
import { paymentErrors } from '../payments/errors.ts'
import { defineFunction } from './define.ts'
import { originField, requireOwnOrigin } from './own-origin.ts'

/**
 * `create-onboarding-link` {origin} → {onboarding_url, url} (API-FN-04): Stripe's own page for the user's account. It leads back to
 * Creator Setup with `success`, or with `refresh` if the link was already used (ONB-04).
 */
export const createOnboardingLink = defineFunction({
  name: 'create-onboarding-link',
  fields: { origin: originField },
  run: async ({ person, input, services, siteOrigin }) => {
    requireOwnOrigin(input.origin, siteOrigin)
    const { accountId } = await refreshAccount(services, person)
    if (accountId === null) throw paymentErrors.accountMissing()
    const page = `${input.origin}${paths.creatorOnboarding}`
    const { url } = await services.stripe.api.accountLinks.create({
      account: accountId,
      type: 'account_onboarding',
      return_url: `${page}?success=true`,
      refresh_url: `${page}?refresh=true`,
    })
    return { success: true, onboarding_url: url, url }
  },
})
