import { Tabs, Title } from '@mantine/core'
import { newPasswordPath, returnParameter, safeReturnPath } from '@ovation/contract/paths'
import { accessTexts } from '@ovation/contract/texts/account-access'
import { authTexts } from '@ovation/contract/texts/auth'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import { signInWaysQuery } from '../../domain/accounts/sign-in-ways.ts'
import { appConfig } from '../../lib/api/config.ts'
import { rememberedReferral } from '../../lib/auth/referral.ts'
import { useSession } from '../../lib/auth/session.tsx'
import { Page } from '../../ui/page.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import classes from './auth-screen.module.css'
import { ConsentStep } from './consent-step.tsx'
import { LinkRefused } from './link-error.tsx'
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

const { tabs, pitch } = authTexts

/** AUTH-01. The URL has the open step, as `tab`. */
export function AuthScreen() {
  const [parameters, setParameters] = useSearchParams()
  // With an invitation, sign-up comes first.
  const tab = parameters.get('tab') ?? (parameters.has('ref') || rememberedReferral() ? 'sign-up' : 'sign-in')
  const open = (next: string | null) =>
    setParameters(
      (current) => {
        current.set('tab', next ?? 'sign-in')
        return current
      },
      { replace: true },
    )

  return (
    <Page title={tab === 'sign-up' ? authTexts.signUpTitle : authTexts.title} heading={null} width="wide">
      <div className={classes.columns}>
        <section className={classes.pitch}>
          <Title order={1} className={classes.headline}>
            {pitch.title}
          </Title>
          <p className={classes.message}>{pitch.message(appConfig().feePercent)}</p>
          <ul className={classes.points}>
            {pitch.points.map((point) => (
              <li key={point}>
                <IconCheck size={18} stroke={2} aria-hidden="true" />
                {point}
              </li>
            ))}
          </ul>
        </section>
        <div className={`surface ${classes.card}`}>
          <LinkRefused />
          <Step tab={tab} next={parameters.get(returnParameter)} open={open} />
        </div>
      </div>
    </Page>
  )
}

type StepProps = { tab: string; next: string | null; open: (tab: string | null) => void }

/** Moves the focus to the start of each step, so that screen readers announce it. */
function Step(props: StepProps) {
  const step = useStep(props)
  return <div {...useKeptFocus('h2, [role="tab"][aria-selected="true"]')}>{step}</div>
}

/** The content of the card. Both forms keep their input while another step is open. */
function useStep({ tab, next, open }: StepProps) {
  const navigate = useNavigate()
  const { user, pending, loading } = useSession()
  const sent = useMailSent()
  const signIn = useSignInForm((email) => sent.waitFor({ kind: 'signup', email }))
  const signUp = useSignUpForm((email) => sent.waitFor({ kind: 'signup', email }))
  const signUpOpen = useQuery(signInWaysQuery()).data?.signUpOpen ?? true
  const { email } = signIn.form.values
  const back = () => {
    sent.forget()
    open('sign-in')
  }
  const proceed = () => void navigate(safeReturnPath(next), { replace: true })

  if (loading) return null
  if (pending) return <SecondFactorStep session={pending} />
  if (tab === 'welcome' && user) return <ConsentStep onDone={proceed} />
  if (tab === 'new-password' && user) return <NewPasswordForm email={user.email} onDone={proceed} />
  if (sent.mail) {
    const { kind } = sent.mail
    const confirmed = () => {
      sent.forget()
      if (kind === 'recovery') void navigate(newPasswordPath, { replace: true })
    }
    return <MailStep key={sent.mail.sentAt} mail={sent.mail} next={next} onBack={back} onConfirmed={confirmed} />
  }
  // After a rejected recovery link there is no session: offer to send another one.
  if (tab === 'forgot' || tab === 'new-password')
    return <MailForm kind="recovery" email={email} next={next} onSent={sent.waitFor} onBack={back} />
  if (tab === 'email') return <MailForm kind="email" email={email} next={next} onSent={sent.waitFor} onBack={back} />
  if (tab === 'sso') return <SsoForm email={email} next={next} onBack={back} />

  const ways = { next, onEmailLink: () => open('email'), onSso: () => open('sso') }
  return (
    // Only the open form is rendered: two fields with the same name would confuse password managers.
    <Tabs
      value={tab === 'sign-up' ? tab : 'sign-in'}
      onChange={open}
      keepMounted={false}
      classNames={{ list: classes.tabs }}
    >
      <Tabs.List grow>
        <Tabs.Tab value="sign-in">{tabs.signIn}</Tabs.Tab>
        <Tabs.Tab value="sign-up">{tabs.signUp}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="sign-in">
        <SignInForm {...signIn} onForgot={() => open('forgot')} />
        <OtherWays {...ways} />
      </Tabs.Panel>
      <Tabs.Panel value="sign-up">
        {signUpOpen ? (
          <>
            <SignUpForm {...signUp} />
            <OtherWays {...ways} joining />
          </>
        ) : (
          <p>{accessTexts.signUpClosed}</p>
        )}
      </Tabs.Panel>
    </Tabs>
  )
}
