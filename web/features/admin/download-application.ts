import { download } from '../../lib/browser/download.ts'
import type { Application } from './application-queries.ts'

/** Everything that an admin sees without revealing it: of the SSN, only the last four digits (ADM-15, D10). */
export function applicationFile(application: Application): { name: string; text: string } {
  const {
    id,
    user_id,
    applicant,
    full_name,
    address,
    country,
    ssn_last4,
    status,
    rejection_reason,
    submitted_at,
    reviewed_at,
  } = application
  const username = applicant?.username ?? null
  // Listed one by one, so that no other field is ever exported.
  const exported = {
    id,
    user_id,
    username,
    full_name,
    address,
    country,
    ssn_last4,
    status,
    rejection_reason,
    submitted_at,
    reviewed_at,
  }
  const text = JSON.stringify(exported, null, 2)
  return { name: `application-${username ?? id}.json`, text }
}

/** Downloads the file. */
export function downloadApplication(application: Application): void {
  const { name, text } = applicationFile(application)
  download(name, 'application/json', text)
}
