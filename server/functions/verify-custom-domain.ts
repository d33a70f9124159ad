import { checkDomain, findDomain } from '../custom-domains/check-domain.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'

/** Each attempt looks a name up that the creator has chosen. */
const attempts = { uses: 20, windowSeconds: 3600 }

/** `verify-custom-domain` {} → {verified}: looks up the DNS record of the caller's domain (PAGE-02). */
export const verifyCustomDomain = defineFunction({
  name: 'verify-custom-domain',
  requires: 'approved-creator',
  fields: {},
  run: async ({ person, services }) => {
    if (!services.config.customDomains) throw functionErrors.customDomainsDisabled()
    const seconds = await services.rateLimits.named('verify-custom-domain', attempts).take(person.userId)
    if (seconds > 0) throw functionErrors.tooManyAttempts(seconds)
    const domain = await findDomain(services, person.profileId)
    if (!domain) throw functionErrors.domainMissing()
    if (domain.domain === new URL(services.siteUrl()).hostname) throw functionErrors.domainIsOurs()
    const outcome = await checkDomain(services, domain)
    if (outcome === 'unreadable') throw functionErrors.domainUnreadable()
    return { verified: outcome === 'verified' }
  },
})
