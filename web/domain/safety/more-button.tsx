import { safetyTexts } from '@ovation/contract/texts/safety'
import { lazy, Suspense, useState } from 'react'
import type { MoreAction } from './more-menu.tsx'
import { MoreTrigger } from './more-trigger.tsx'

const MoreMenu = lazy(() => import('./more-menu.tsx'))

type Props = {
  label?: string
  actions: MoreAction[]
  /** While one of them is under way: the menu does not open, so that none is done twice. */
  pending?: boolean | undefined
}

/** Opens a menu of what is rarely done. The menu's code loads with the first press, and stays: its button is where the focus returns to. */
export function MoreButton({ label = safetyTexts.more, actions, pending }: Props) {
  const [isAsked, setAsked] = useState(false)
  const button = <MoreTrigger label={label} pending={pending} onClick={() => !pending && setAsked(true)} />
  if (actions.length === 0) return null
  if (!isAsked) return button
  return (
    <Suspense fallback={button}>
      <MoreMenu label={label} actions={actions} pending={pending} />
    </Suspense>
  )
}
