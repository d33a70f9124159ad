import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { IconCheck } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { type SetupStep, setupSteps, sharedPages, stepsLeft, useSetup } from '../../domain/creators/setup.ts'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { share } from '../../ui/share.ts'
import classes from './setup-checklist.module.css'

const ComposerDialog = lazy(() => import('../../domain/composer/composer-dialog.tsx'))

const texts = dashboardTexts.setupList

const screens = {
  verify: paths.creatorVerification,
  payouts: paths.creatorOnboarding,
  plan: paths.subscriptionProducts,
  pictures: paths.ownProfile,
} as const

/** What a creator does before the first fan pays; gone once all of it is done (LOOP-07). Its first step is the gate of DASH-08. */
export function SetupChecklist({ viewer }: { viewer: Viewer }) {
  const setup = useSetup(viewer)
  const [composing, setComposing] = useState(false)
  const [shared, setShared] = useState(false)
  if (setup === undefined) return viewer.mayPublish ? null : <ListSkeleton rows={3} />
  const done = { ...setup?.done, verify: viewer.mayPublish, ...(shared && { share: true }) }
  const isWaiting = setup?.isWaiting ?? false
  const { left, next } = stepsLeft(done, isWaiting)
  if (left.length === 0 || (!setup && viewer.mayPublish)) return null

  const sharePage = async () => {
    const path = paths.profile(viewer.username ?? viewer.userId)
    if (!(await share({ title: viewer.displayName ?? '', path }))) return
    sharedPages.write(viewer.profileId, '1')
    setShared(true)
  }

  return (
    <section className={`surface ${classes.list}`} aria-labelledby="setup-title">
      <div className={classes.head}>
        <h2 id="setup-title" className={classes.title}>
          {texts.title}
        </h2>
        <span className={classes.count}>{texts.count(setupSteps.length - left.length, setupSteps.length)}</span>
      </div>
      <ol className={classes.steps}>
        {setupSteps.map((step) => (
          <Step
            key={step}
            step={step}
            done={done[step] ?? false}
            isNext={step === next}
            {...wordsOf(step, { isWaiting, mayPublish: viewer.mayPublish })}
            onPress={step === 'post' ? () => setComposing(true) : () => void sharePage()}
          />
        ))}
      </ol>
      {composing && (
        <Suspense>
          <ComposerDialog viewer={viewer} onClose={() => setComposing(false)} />
        </Suspense>
      )}
    </section>
  )
}

type Words = { title: string; message: string; action: string }

function wordsOf(step: SetupStep, { isWaiting, mayPublish }: { isWaiting: boolean; mayPublish: boolean }): Words {
  if (step === 'verify' && !mayPublish)
    return { ...dashboardTexts.verificationRequired, ...(isWaiting && texts.steps.waiting) }
  return { ...texts.steps[step], ...(step === 'post' && !mayPublish && texts.steps.draft) }
}

type StepProps = Words & { step: SetupStep; done: boolean; isNext: boolean; onPress: () => void }

/** The next step explains itself and has the screen's primary button. */
function Step({ step, title, message, action, done, isNext, onPress }: StepProps) {
  const look = { size: isNext ? 'sm' : 'compact-sm', variant: isNext ? 'filled' : 'default' } as const
  // Until it is approved, the gate explains itself even if another step is next.
  const explains = !done && (isNext || step === 'verify')
  return (
    <li className={classes.step} data-done={done || undefined} data-next={isNext || undefined}>
      <span className={classes.mark} aria-hidden="true">
        {done && <IconCheck size={16} stroke={2.25} />}
      </span>
      <div>
        <h3 className={classes.stepTitle}>
          {title}
          {done && <span className="visually-hidden"> · {texts.done}</span>}
        </h3>
        {explains && <p className={classes.message}>{message}</p>}
      </div>
      {!done &&
        (step === 'post' || step === 'share' ? (
          <Button {...look} className={classes.action ?? ''} onClick={onPress}>
            {action}
          </Button>
        ) : (
          <Button {...look} className={classes.action ?? ''} component={Link} to={screens[step]}>
            {action}
          </Button>
        ))}
    </li>
  )
}
