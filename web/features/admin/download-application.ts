import { download } from '../../lib/browser/download.ts'
import type { Application } from './queries.ts'

/** What the file holds: everything an admin sees without asking, and no more of the SSN than its last four digits (ADM-15, D10). */
export function applicationFile(application: Application): { name: string; text: string } {
  const { id, user_id, applicant, full_name, address, ssn_last4, status, rejection_reason, submitted_at, reviewed_at } =
    application
  const username = applicant?.username ?? null
  // Named one by one: what an application may hold besides is not handed on.
  const told = {
    id,
    user_id,
    username,
    full_name,
    address,
    ssn_last4,
    status,
    rejection_reason,
    submitted_at,
    reviewed_at,
  }
  const text = JSON.stringify(told, null, 2)
  return { name: `application-${username ?? id}.json`, text }
}

/** Hands the file to the browser, as a download. */
export function downloadApplication(application: Application): void {
  const { name, text } = applicationFile(application)
  download(name, 'application/json', text)
}
