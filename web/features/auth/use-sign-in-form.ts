import { authTexts } from '@ovation/contract/texts/auth'
import { useState } from 'react'
import { sentenceOf } from '../../lib/sentence-of.ts'
import { supabase } from '../../lib/supabase.ts'
import { looksLikeEmail } from '../../lib/validators.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { sendMail } from './mail-sent.ts'
import { sentenceOfRefusal } from './sentence-of-refusal.ts'

const { errors } = authTexts

export const emailRule = (value: string) => {
  if (!value.trim()) return errors.emailMissing
  return looksLikeEmail(value) ? null : errors.emailWrong
}

/**
 * AUTH-04, AUTH-08, AUTH-14. On success the route's loader leads on: the session is there, or the step for its second factor.
 * @param onMailSent an account that was never confirmed was sent its mail again.
 */
export function useSignInForm(onMailSent: (email: string) => void) {
  const [failure, setFailure] = useState<string>()
  const [unconfirmed, setUnconfirmed] = useState<string>()
  const [pending, setPending] = useState(false)
  const form = useAppForm({
    initialValues: { email: '', password: '' },
    validate: { email: emailRule, password: (value) => (value ? null : errors.passwordMissing) },
    draft: { key: 'sign-in', omit: ['password'] },
  })

  const submit = form.handleSubmit(async ({ email, password }) => {
    setPending(true)
    setFailure(undefined)
    setUnconfirmed(undefined)
    const { error } = await supabase.auth.signInWithPassword({ email: email.trim(), password })
    if (error) setFailure(sentenceOfRefusal(error))
    else form.forgetDraft()
    if (error?.code === 'email_not_confirmed') setUnconfirmed(email.trim())
    setPending(false)
  })

  const confirmAgain = async () => {
    if (!unconfirmed) return
    setPending(true)
    const { error } = await sendMail({ kind: 'signup', email: unconfirmed }, null)
    setPending(false)
    // One was sent a moment ago: that is the one to look for.
    if (error && error.code !== 'over_email_send_rate_limit') return setFailure(sentenceOf(error))
    setFailure(undefined)
    setUnconfirmed(undefined)
    onMailSent(unconfirmed)
  }
  return { form, submit, pending, failure, unconfirmed: unconfirmed !== undefined, confirmAgain }
}
