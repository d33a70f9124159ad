import { authTexts } from '@ovation/contract/texts/auth'
import { useState } from 'react'
import { emailRule } from '../../domain/accounts/email-rule.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { authClient } from '../../lib/auth/auth-client.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { sendMail } from './mail-sent.ts'
import { signInErrorMessage } from './sign-in-error-message.ts'

const { errors } = authTexts

/**
 * AUTH-04, AUTH-08, AUTH-14. On success, the route's loader continues: with the session, or with the second factor.
 * @param next where to go after an unconfirmed address was confirmed.
 * @param onMailSent called when an unconfirmed account was sent its email again.
 */
export function useSignInForm(next: string | null, onMailSent: (email: string) => void) {
  const [failure, setFailure] = useState<string>()
  const [unconfirmed, setUnconfirmed] = useState<string>()
  const [pending, setPending] = useState(false)
  const form = useAppForm({
    initialValues: { email: '', password: '' },
    validate: { email: emailRule, password: (value) => (value ? null : errors.passwordMissing) },
    draft: { key: 'sign-in', omit: ['password'] },
  })

  /** The client returns rejections; it only throws if its code failed to load. */
  const attempt = async (work: () => Promise<void>) => {
    setPending(true)
    await work().catch((error: unknown) => setFailure(errorMessageOf(error)))
    setPending(false)
  }

  const submit = form.handleSubmit(({ email, password }) =>
    attempt(async () => {
      setFailure(undefined)
      setUnconfirmed(undefined)
      const auth = await authClient()
      const { error } = await auth.signInWithPassword({ email: email.trim(), password })
      if (error) setFailure(signInErrorMessage(error))
      else form.forgetDraft()
      if (error?.code === 'email_not_confirmed') setUnconfirmed(email.trim())
    }),
  )

  const confirmAgain = () =>
    attempt(async () => {
      if (!unconfirmed) return
      const { error } = await sendMail({ kind: 'signup', email: unconfirmed }, next)
      // An email was just sent: wait for that one.
      if (error && error.code !== 'over_email_send_rate_limit') return setFailure(errorMessageOf(error))
      setFailure(undefined)
      setUnconfirmed(undefined)
      onMailSent(unconfirmed)
    })
  return { form, submit, pending, failure, unconfirmed: unconfirmed !== undefined, confirmAgain }
}
