import { isProfileAddress } from './is-profile-address.ts'
import { linksBack } from './links-back.ts'
import { type LinkOutcome, noteCheck, type ProfileLink } from './queries.ts'
import { readLinkedPage } from './read-linked-page.ts'
import type { Services } from './services.ts'

/** Looks whether the page behind a link links back to the profile with rel="me" (PAGE-01), and stores the outcome. */
export async function checkLink(
  services: Services,
  link: ProfileLink,
): Promise<{ outcome: LinkOutcome; verified: boolean }> {
  const outcome = await findOutcome(services, link)
  return { outcome, verified: await noteCheck(services.database.service, link.id, outcome) }
}

async function findOutcome(
  { config, log, siteUrl }: Services,
  { id, url, usernames, domain }: ProfileLink,
): Promise<LinkOutcome> {
  try {
    const page = await readLinkedPage(new URL(url), {
      isGuarded: config.environment === 'production',
      siteUrl: siteUrl(),
    })
    // Domains that the operator no longer allows lead nowhere.
    const profile = { usernames, domain: config.customDomains ? domain : null }
    const isThis = (address: URL) => isProfileAddress(address, siteUrl(), profile)
    return linksBack(page.html, page.url, isThis) ? 'confirmed' : 'missing'
  } catch (err) {
    // Another site's failure is nothing that the operator could fix.
    log.debug({ err, link: id }, 'the page behind a link cannot be read')
    return 'unreachable'
  }
}
