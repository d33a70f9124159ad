import { passwordMinLength } from '@ovation/contract/limits'
import { paths, safeReturnPath } from '@ovation/contract/paths'
import { authTexts } from '@ovation/contract/texts/auth'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { emailRule } from '../../domain/accounts/email-rule.ts'
import { isUsernameTaken, meansUsernameTaken } from '../../domain/accounts/username-taken.ts'
import { appConfig } from '../../lib/api/config.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { authClient } from '../../lib/auth/auth-client.ts'
import { openedLinks } from '../../lib/auth/opened-links.ts'
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

type Input = {
  /** Where to go after signing up. */
  next: string | null
  /** How often the visitor pressed "Join as a creator". Each time checks "I want to be a creator". */
  creatorPresses: number
  /** Changes `next`, before the account exists: the next step may happen in another tab, or after an email. */
  leadTo: (next: string | null) => void
  /** Called when the address has to be confirmed first (AUTH-16). */
  onMailSent: (email: string) => void
}

/**
 * AUTH-05..AUTH-17. On success with a session, the route's loader continues. `hasAccount` if the address has an account already.
 */
export function useSignUpForm({ next, creatorPresses, leadTo, onMailSent }: Input) {
  const before = useRef(next)
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

  const wantToCreate = useEffectEvent(() => form.setFieldValue('wantsToCreate', true))
  useEffect(() => {
    if (creatorPresses > 0) wantToCreate()
  }, [creatorPresses])

  const showTaken = () => {
    form.showError('username', usernameTaken.message)
    toast.error(usernameTaken.message, usernameTaken.title)
  }

  const signUp = async (values: SignUpValues) => {
    // A failed check counts as available: the server has the last word.
    const check = () => isUsernameTaken(values.username, new AbortController().signal).catch(() => false)
    if (values.username && (await check())) return showTaken()
    const auth = await authClient()
    // If the last attempt led to the application, and the user no longer wants to create.
    if (next !== paths.creatorVerification) before.current = next
    const destination = destinationOf(before.current, values.wantsToCreate)
    if (destination !== next) leadTo(destination)
    const { data, error } = await auth.signUp({
      email: values.email.trim(),
      password: values.password,
      options: { emailRedirectTo: confirmedAddress(destination), data: metadataOf(values) },
    })
    setHasAccount(error?.code === 'user_already_exists')
    if (error) return meansUsernameTaken(error.message) ? showTaken() : setFailure(errorMessageOf(error))
    forgetReferral()
    form.forgetDraft()
    if (!data.session) return onMailSent(values.email.trim())
    const { title, message } = authTexts.welcome(appConfig().name)
    toast.leaving(message, title)
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

/** Creators go to the application (LOOP-07), unless they left off somewhere (LOOP-04). */
function destinationOf(next: string | null, wantsToCreate: boolean): string | null {
  const isHome = safeReturnPath(next).split('?', 1)[0] === paths.home
  return wantsToCreate && isHome ? paths.creatorVerification : next
}

/** What the database reads to create the profile. Empty values are omitted: the database then chooses a username itself. */
const metadataOf = ({ username, displayName, wantsToCreate, consent }: SignUpValues) => ({
  ...(username && { username }),
  ...(displayName.trim() && { display_name: displayName.trim() }),
  is_creator: wantsToCreate,
  terms_accepted: consent,
  ...(rememberedReferral() && { ref: rememberedReferral() }),
  ...(openedLinks() && { links: openedLinks() }),
})
