import { newPasswordPath, paths, returnParameter } from '@ovation/contract/paths'
import { useState } from 'react'
import { authClient } from '../../lib/auth/auth-client.ts'
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

/** Requests the email. The response is the same for known and unknown addresses. */
export async function sendMail({ kind, email }: Omit<MailSent, 'sentAt'>, next: string | null) {
  const auth = await authClient()
  const { origin } = window.location
  if (kind === 'recovery') return auth.resetPasswordForEmail(email, { redirectTo: origin + newPasswordPath })
  if (kind === 'signup') return auth.resend({ type: 'signup', email, options: { emailRedirectTo: `${origin}/` } })
  // Accounts are created only on the sign-up form, which asks for consent (D16).
  return auth.signInWithOtp({
    email,
    options: { shouldCreateUser: false, emailRedirectTo: authAddress(next) },
  })
}

/** The URL of the sign-in screen. @param next where to go afterwards. */
export function authAddress(next: string | null, tab?: string): string {
  const query = new URLSearchParams({ ...(tab && { tab }), ...(next && { [returnParameter]: next }) })
  return `${window.location.origin}${paths.auth}${query.size > 0 ? `?${query}` : ''}`
}
