import { Tabs, Title } from '@mantine/core'
import { authTexts } from '@ovation/contract/texts/auth'
import { IconCheck } from '@tabler/icons-react'
import { useSearchParams } from 'react-router'
import { rememberedReferral } from '../../lib/referral.ts'
import { Page } from '../../ui/page.tsx'
import classes from './auth-screen.module.css'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { useSignInForm } from './use-sign-in-form.ts'
import { useSignUpForm } from './use-sign-up-form.ts'

const { tabs, pitch } = authTexts

/** AUTH-01. Both forms keep what was typed while the other tab is open. */
export function AuthScreen() {
  const [parameters, setParameters] = useSearchParams()
  const signIn = useSignInForm()
  const signUp = useSignUpForm()
  // Someone who was invited came to join.
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
          <p className={classes.message}>{pitch.message}</p>
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
          {/* Only the open form is in the page: two fields of one name would confuse password managers. */}
          <Tabs value={tab} onChange={open} keepMounted={false} classNames={{ list: classes.tabs }}>
            <Tabs.List grow>
              <Tabs.Tab value="sign-in">{tabs.signIn}</Tabs.Tab>
              <Tabs.Tab value="sign-up">{tabs.signUp}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="sign-in">
              <SignInForm {...signIn} />
            </Tabs.Panel>
            <Tabs.Panel value="sign-up">
              <SignUpForm {...signUp} onSignIn={() => open('sign-in')} />
            </Tabs.Panel>
          </Tabs>
        </div>
      </div>
    </Page>
  )
}
