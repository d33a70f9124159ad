import type { Returned } from '../providers/external-flow.ts'
import { sessionFragment } from './session-fragment.ts'

/** The final URL of a sign-in at another service, like that of email links (routes/mail.ts): a code may appear in it, a session may not. */
export function addressFor({ target, outcome }: Returned): string {
  const url = new URL(target)
  if ('code' in outcome) url.searchParams.set('code', outcome.code)
  else if ('session' in outcome) url.hash = sessionFragment(outcome.session)
  else {
    const { code, message } = outcome.refusal
    const parameters = { error: 'access_denied', error_code: code, error_description: message }
    for (const [name, text] of Object.entries(parameters)) url.searchParams.set(name, text)
    url.hash = new URLSearchParams(parameters).toString()
  }
  return url.href
}
