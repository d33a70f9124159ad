import { paths } from '@ovation/contract/paths'
import { functionErrors } from './errors.ts'
import { optionalText } from './fields.ts'

/** The screen of this site to which Stripe's page leads back. */
export const returnField = optionalText({ label: 'The return path', max: 500 })

/** @throws 400 for anything but a path on this site: no other site may receive a user returning from Stripe. */
export function returnUrl(siteOrigin: string, returnPath: string | null): string {
  const url = new URL(returnPath ?? paths.subscriptions, siteOrigin)
  const isPath = returnPath === null || /^\/(?![/\\])/.test(returnPath)
  if (!isPath || url.origin !== new URL(siteOrigin).origin) {
    throw functionErrors.invalidField('returnPath', 'The return path must be a path on this site')
  }
  return url.href
}
