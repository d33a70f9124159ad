import type { Returned } from '../providers/external-flow.ts'
import { sessionFragment } from './session-fragment.ts'

/** Where a sign-in elsewhere ends, as links from mails do it (routes/mail.ts): a code may be seen on the way, a session may not. */
export function addressFor({ target, outcome }: Returned): string {
  const url = new URL(target)
  if ('code' in outcome) url.searchParams.set('code', outcome.code)
  else if ('session' in outcome) url.hash = sessionFragment(outcome.session)
  else {
    const { code, message } = outcome.refusal
    const told = { error: 'access_denied', error_code: code, error_description: message }
    for (const [name, text] of Object.entries(told)) url.searchParams.set(name, text)
    url.hash = new URLSearchParams(told).toString()
  }
  return url.href
}
