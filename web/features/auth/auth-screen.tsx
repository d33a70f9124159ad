import { Alert } from '@mantine/core'
import { returnParameter, safeReturnPath } from '@ovation/contract/paths'
import { authTexts, joinTexts } from '@ovation/contract/texts/auth'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { signInWaysQuery } from '../../domain/accounts/sign-in-ways.ts'
import { actionIn } from '../../lib/auth/parse-pending-action.ts'
import { rememberedReferral } from '../../lib/auth/referral.ts'
import { Page } from '../../ui/page.tsx'
import classes from './auth-screen.module.css'
import { AuthSteps } from './auth-steps.tsx'
import { FrontHeading, JoinHeading } from './headings.tsx'
import { LinkRefused } from './link-error.tsx'
import { usePendingAction } from './use-pending-action.ts'

// They load beside the form, which can be used at once.
const JoiningCard = lazy(() => import('./joining-card.tsx'))
const Pitch = lazy(() => import('./pitch.tsx'))

/**
 * AUTH-01. The front page (LOOP-03), or, for a visitor who tried to do something, what they join for (LOOP-04). The URL has the open
 * step, as `tab`.
 * @param front the creators of the front page.
 */
export function AuthScreen({ front }: { front: ReactNode }) {
  const [parameters, setParameters] = useSearchParams()
  const [creatorPresses, setCreatorPresses] = useState(0)
  const next = parameters.get(returnParameter)
  const { action, target, isGone } = usePendingAction(actionIn(safeReturnPath(next)))
  const signUpOpen = useQuery(signInWaysQuery()).data?.signUpOpen ?? true
  // With an invitation, or something to do, sign-up comes first.
  const joins = action !== null || parameters.has('ref') || rememberedReferral() !== null
  const tab = parameters.get('tab') ?? (joins && signUpOpen ? 'sign-up' : 'sign-in')
  const set = (name: string, value: string | null, stays = false) =>
    setParameters(
      (current) => {
        if (value === null) current.delete(name)
        else current.set(name, value)
        return current
      },
      { replace: true, preventScrollReset: stays },
    )
  const open = (step: string | null) => set('tab', step ?? 'sign-in')
  const card = useFormInView()

  return (
    <Page title={tab === 'sign-up' ? authTexts.signUpTitle : authTexts.title} heading={null} width="wide">
      <div className={classes.columns} data-joining={action !== null}>
        <div className={classes.intro}>
          {action ? (
            <JoinHeading action={action} creator={target?.creator} isNew={tab === 'sign-up' || tab === 'welcome'} />
          ) : (
            <FrontHeading />
          )}
        </div>
        <div className={`surface ${classes.card}`} ref={card} tabIndex={-1}>
          <LinkRefused />
          {isGone && (
            <Alert color="gray" mb="lg" role="status">
              {joinTexts.gone}
            </Alert>
          )}
          <AuthSteps
            tab={tab}
            next={next}
            joining={action !== null}
            signUpOpen={signUpOpen}
            open={open}
            creatorPresses={creatorPresses}
            leadTo={(path) => set(returnParameter, path, true)}
          />
        </div>
        <div className={classes.beside}>
          <Suspense fallback={<div className={classes.strip} />}>
            {action ? target && <JoiningCard target={target} /> : front}
          </Suspense>
        </div>
        {/* Not to fans on their way to a creator. */}
        {!action && (
          <Suspense>
            <Pitch
              onJoin={() => {
                setCreatorPresses(creatorPresses + 1)
                open('sign-up')
                card.current?.focus()
              }}
            />
          </Suspense>
        )}
      </div>
    </Page>
  )
}

/**
 * The step that the address names comes into view: on a phone, the form is below the creators. A visitor who comes back to a scroll position
 * stays there. An effect, so that it runs after ScrollRestoration. After a link from elsewhere, such as the header's, the first field has
 * the focus; a press within the form leaves it there.
 */
function useFormInView() {
  const card = useRef<HTMLDivElement>(null)
  const location = useLocation()
  useEffect(() => {
    if (!location.search.includes('tab=') || window.scrollY !== 0) return
    card.current?.scrollIntoView()
    if (location.key === 'default' || card.current?.contains(document.activeElement)) return
    // After the shell, which moves the focus to the start of a new screen.
    const frame = requestAnimationFrame(() => card.current?.querySelector('input')?.focus({ preventScroll: true }))
    return () => cancelAnimationFrame(frame)
  }, [location])
  return card
}
