import { passwordMinLength } from '@ovation/contract/limits'
import { authTexts } from '@ovation/contract/texts/auth'
import { useState } from 'react'
import { emailRule } from '../../domain/accounts/email-rule.ts'
import { isUsernameTaken, meansUsernameTaken } from '../../domain/accounts/username-taken.ts'
import { appConfig } from '../../lib/api/config.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { authClient } from '../../lib/auth/auth-client.ts'
import { forgetReferral, rememberedReferral } from '../../lib/auth/referral.ts'
import { isDisplayName, isUsername } from '../../lib/forms/validators.ts'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { confirmedAddress } from './mail-sent.ts'

const { errors, usernameTaken } = authTexts

export type SignUpValues = {
  email: string
  username: string
  displayName: string
  password: string
  wantsToCreate: boolean
  consent: boolean
}

/**
 * AUTH-05..AUTH-17. On success with a session, the route's loader continues. `hasAccount` if the address has an account already.
 * @param next where to go after the address was confirmed.
 * @param onMailSent called when the address has to be confirmed first (AUTH-16).
 */
export function useSignUpForm(next: string | null, onMailSent: (email: string) => void) {
  const [failure, setFailure] = useState<string>()
  const [hasAccount, setHasAccount] = useState(false)
  const [pending, setPending] = useState(false)
  const form = useAppForm<SignUpValues>({
    initialValues: { email: '', username: '', displayName: '', password: '', wantsToCreate: false, consent: false },
    validate: {
      email: emailRule,
      username: (value) => (value === '' || isUsername(value) ? null : errors.usernameWrong),
      displayName: (value) => (isDisplayName(value) ? null : errors.displayNameLong),
      password: (value) => (value.length >= passwordMinLength ? null : errors.passwordShort),
      consent: (value) => (value ? null : errors.consentMissing),
    },
    draft: { key: 'sign-up', omit: ['password'] },
  })

  const showTaken = () => {
    form.showError('username', usernameTaken.message)
    toast.error(usernameTaken.message, usernameTaken.title)
  }

  const signUp = async (values: SignUpValues) => {
    if (values.username && (await isUsernameTaken(values.username))) return showTaken()
    const auth = await authClient()
    const { data, error } = await auth.signUp({
      email: values.email.trim(),
      password: values.password,
      options: { emailRedirectTo: confirmedAddress(next), data: metadataOf(values) },
    })
    setHasAccount(error?.code === 'user_already_exists')
    if (error) return meansUsernameTaken(error.message) ? showTaken() : setFailure(errorMessageOf(error))
    forgetReferral()
    form.forgetDraft()
    if (!data.session) return onMailSent(values.email.trim())
    const { title, message } = authTexts.welcome(appConfig().name)
    toast.success(message, title)
  }

  const submit = form.handleSubmit(async (values) => {
    setPending(true)
    setFailure(undefined)
    // The client returns rejections; it only throws if its code failed to load.
    await signUp(values).catch((error: unknown) => setFailure(errorMessageOf(error)))
    setPending(false)
  })
  return { form, submit, pending, failure, hasAccount: failure !== undefined && hasAccount }
}

/** What the database reads to create the profile. Empty values are omitted: the database then chooses a username itself. */
const metadataOf = ({ username, displayName, wantsToCreate, consent }: SignUpValues) => ({
  ...(username && { username }),
  ...(displayName.trim() && { display_name: displayName.trim() }),
  is_creator: wantsToCreate,
  terms_accepted: consent,
  ...(rememberedReferral() && { ref: rememberedReferral() }),
})
