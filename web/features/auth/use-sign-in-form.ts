import { authTexts } from '@ovation/contract/texts/auth'
import { useState } from 'react'
import { supabase } from '../../lib/supabase.ts'
import { looksLikeEmail } from '../../lib/validators.ts'
import { useAppForm } from '../../ui/use-app-form.ts'

const { errors } = authTexts

export const emailRule = (value: string) => {
  if (!value.trim()) return errors.emailMissing
  return looksLikeEmail(value) ? null : errors.emailWrong
}

/** AUTH-04, AUTH-08, AUTH-14. On success the route's loader leads on: the session is there. */
export function useSignInForm() {
  const [failure, setFailure] = useState<string>()
  const [pending, setPending] = useState(false)
  const form = useAppForm({
    initialValues: { email: '', password: '' },
    validate: { email: emailRule, password: (value) => (value ? null : errors.passwordMissing) },
  })

  const submit = form.handleSubmit(async ({ email, password }) => {
    setPending(true)
    setFailure(undefined)
    const { error } = await supabase.auth.signInWithPassword({ email: email.trim(), password })
    if (error) setFailure(error.message)
    setPending(false)
  })
  return { form, submit, pending, failure }
}
