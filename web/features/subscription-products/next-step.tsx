import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { setupSteps, stepsLeft, useSetup } from '../../domain/creators/setup.ts'
import type { Viewer } from '../../lib/auth/viewer.ts'
import classes from './next-step.module.css'

const texts = dashboardTexts.setupList

/** Once there is a plan: what comes next on the checklist of the dashboard, until all of it is done (LOOP-07). */
export function NextStep({ viewer }: { viewer: Viewer }) {
  const setup = useSetup(viewer)
  const hasPlan = setup?.done.plan
  const hadPlan = useRef(hasPlan)
  const strip = useRef<HTMLElement>(null)
  // The first plan was created at the end of the form, far below.
  useEffect(() => {
    if (hasPlan && hadPlan.current === false) strip.current?.scrollIntoView({ block: 'nearest' })
    hadPlan.current = hasPlan
  }, [hasPlan])

  if (!setup?.done.plan) return null
  const { left, next } = stepsLeft(setup.done, setup.isWaiting)
  // Nothing to do while an admin reviews the application.
  if (!next || (next === 'verify' && setup.isWaiting)) return null
  return (
    <aside ref={strip} className={`surface ${classes.strip}`}>
      <div className={classes.text}>
        <p className={classes.next}>{texts.next(texts.steps[next].title)}</p>
        <p className={classes.count}>{texts.count(setupSteps.length - left.length, setupSteps.length)}</p>
      </div>
      <Button component={Link} to={paths.dashboard} variant="default">
        {texts.title}
      </Button>
    </aside>
  )
}
