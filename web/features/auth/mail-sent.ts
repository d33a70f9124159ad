import { useState } from 'react'
import { authClient } from '../../lib/auth/auth-client.ts'
import { authPath } from '../../lib/auth/sign-in-path.ts'
import { forgetDraft, readDraft, writeDraft } from '../../lib/forms/draft.ts'

/** An email that was sent, and its purpose. */
export type MailSent = { kind: 'signup' | 'recovery' | 'email'; email: string; sentAt: number }

const key = 'auth-mail'

/** The email that the user is waiting for. Survives reloads, because users look for emails in other tabs. */
export function useMailSent() {
  const [mail, setMail] = useState<MailSent | null>(() => {
    const kept = readDraft(key)
    return 'kind' in kept ? (kept as MailSent) : null
  })
  return {
    mail,
    waitFor: (sent: Omit<MailSent, 'sentAt'>) => {
      const next = { ...sent, sentAt: Date.now() }
      writeDraft(key, next)
      setMail(next)
    },
    forget: () => {
      forgetDraft(key)
      setMail(null)
    },
  }
}

/** Requests the email. The response is the same for known and unknown addresses. @param next where to go afterwards. */
export async function sendMail({ kind, email }: Omit<MailSent, 'sentAt'>, next: string | null) {
  const auth = await authClient()
  if (kind === 'recovery')
    return auth.resetPasswordForEmail(email, { redirectTo: authAddress({ next, tab: 'new-password' }) })
  if (kind === 'signup')
    return auth.resend({ type: 'signup', email, options: { emailRedirectTo: confirmedAddress(next) } })
  // Accounts are created only on the sign-up form, which asks for consent (D16).
  return auth.signInWithOtp({
    email,
    options: { shouldCreateUser: false, emailRedirectTo: authAddress({ next }) },
  })
}

/** The target of the link that confirms a new account: the root of the site (API-AUTH-01), or where the visitor left off (LOOP-04). */
export const confirmedAddress = (next: string | null): string =>
  next ? authAddress({ next }) : `${window.location.origin}/`

/** The URL of {@link authPath}. */
export const authAddress = (to: Parameters<typeof authPath>[0]): string => window.location.origin + authPath(to)
