import { checkLink } from '../profile-links/check-link.ts'
import { findLink } from '../profile-links/queries.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import { uuid } from './fields.ts'

/** Each is a request to a server of the caller's choice. */
const checks = { uses: 10, windowSeconds: 3600 }

/**
 * `check-profile-link` {linkId} → {outcome, verified}: whether the page behind one of the caller's links links back to the profile (PAGE-01).
 * The outcome is `confirmed`, `missing`, or `unreachable`; then a verified link keeps its mark for a while.
 */
export const checkProfileLink = defineFunction({
  name: 'check-profile-link',
  requires: 'approved-creator',
  fields: { linkId: uuid({ label: 'The link' }) },
  run: async ({ person, input, services }) => {
    const link = await findLink(services.database.service, person.profileId, input.linkId)
    if (!link) throw functionErrors.linkNotFound()
    const seconds = await services.rateLimits.named('check-profile-link', checks).take(person.userId)
    if (seconds > 0) throw functionErrors.tooManyAttempts(seconds)
    return checkLink(services, link)
  },
})
