import { Tabs } from '@mantine/core'
import { safeReturnPath } from '@ovation/contract/paths'
import { accessTexts } from '@ovation/contract/texts/account-access'
import { authTexts } from '@ovation/contract/texts/auth'
import { lazy, Suspense } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '../../lib/auth/session.tsx'
import { authPath } from '../../lib/auth/sign-in-path.ts'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import classes from './auth-screen.module.css'
import { MailForm } from './mail-form.tsx'
import { useMailSent } from './mail-sent.ts'
import { MailStep } from './mail-step.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import { OtherWays } from './other-ways.tsx'
import { SecondFactorStep } from './second-factor-step.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { SsoForm } from './sso-form.tsx'
import { useSignInForm } from './use-sign-in-form.ts'
import { useSignUpForm } from './use-sign-up-form.ts'

// Only for those who come from another service for the first time.
const ConsentStep = lazy(() => import('./consent-step.tsx'))

const { tabs } = authTexts

type Props = {
  tab: string
  next: string | null
  /** Whether the visitor joins to do something (LOOP-04): sign-up comes first, and is short. */
  joining: boolean
  signUpOpen: boolean
  open: (tab: string | null) => void
  /** How often the visitor pressed "Join as a creator". */
  creatorPresses: number
  leadTo: (next: string | null) => void
}

/** Moves the focus to the start of each step, so that screen readers announce it. */
export function AuthSteps(props: Props) {
  const step = useStep(props)
  return <div {...useKeptFocus('h2, [role="tab"][aria-selected="true"]')}>{step}</div>
}

/** The content of the card. Both forms keep their input while another step is open. */
function useStep({ tab, next, joining, signUpOpen, open, creatorPresses, leadTo }: Props) {
  const navigate = useNavigate()
  const { user, pending, loading } = useSession()
  const sent = useMailSent()
  const signIn = useSignInForm(next, (email) => sent.waitFor({ kind: 'signup', email }))
  const signUp = useSignUpForm({
    next,
    creatorPresses,
    leadTo,
    onMailSent: (email) => sent.waitFor({ kind: 'signup', email }),
  })
  const { email } = signIn.form.values
  const back = () => {
    sent.forget()
    open('sign-in')
  }
  const proceed = () => void navigate(safeReturnPath(next), { replace: true })

  if (loading) return null
  if (pending) return <SecondFactorStep session={pending} />
  if (tab === 'welcome' && user)
    return (
      <Suspense>
        <ConsentStep onDone={proceed} />
      </Suspense>
    )
  if (tab === 'new-password' && user) return <NewPasswordForm email={user.email} onDone={proceed} />
  if (sent.mail) {
    const { kind } = sent.mail
    const confirmed = () => {
      sent.forget()
      if (kind === 'recovery') void navigate(authPath({ next, tab: 'new-password' }), { replace: true })
    }
    return <MailStep key={sent.mail.sentAt} mail={sent.mail} next={next} onBack={back} onConfirmed={confirmed} />
  }
  // After a rejected recovery link there is no session: offer to send another one.
  if (tab === 'forgot' || tab === 'new-password')
    return <MailForm kind="recovery" email={email} next={next} onSent={sent.waitFor} onBack={back} />
  if (tab === 'email') return <MailForm kind="email" email={email} next={next} onSent={sent.waitFor} onBack={back} />
  if (tab === 'sso') return <SsoForm email={email} next={next} onBack={back} />

  const signInInstead = (address: string) => {
    signIn.form.setFieldValue('email', address)
    open('sign-in')
  }
  const ways = { next, onEmailLink: () => open('email'), onSso: () => open('sso') }
  const names = joining ? (['sign-up', 'sign-in'] as const) : (['sign-in', 'sign-up'] as const)
  return (
    // Only the open form is rendered: two fields with the same name would confuse password managers.
    <Tabs
      value={tab === 'sign-up' ? tab : 'sign-in'}
      onChange={open}
      keepMounted={false}
      classNames={{ list: classes.tabs }}
    >
      <Tabs.List grow>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {name === 'sign-in' ? tabs.signIn : tabs.signUp}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="sign-in">
        <SignInForm {...signIn} onForgot={() => open('forgot')} />
        <OtherWays {...ways} />
      </Tabs.Panel>
      <Tabs.Panel value="sign-up">
        {signUpOpen ? (
          <>
            <SignUpForm {...signUp} isShort={joining} onSignIn={signInInstead} />
            <OtherWays {...ways} joining />
          </>
        ) : (
          <p>{accessTexts.signUpClosed}</p>
        )}
      </Tabs.Panel>
    </Tabs>
  )
}
