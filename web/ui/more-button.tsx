import { commonTexts } from '@ovation/contract/texts/common'
import { lazy, Suspense, useState } from 'react'
import type { MoreAction } from './more-menu.tsx'
import { MoreTrigger } from './more-trigger.tsx'

const MoreMenu = lazy(() => import('./more-menu.tsx'))

type Props = {
  label?: string
  actions: MoreAction[]
  /** True while an action runs: the menu doesn't open, so that no action runs twice. */
  pending?: boolean | undefined
}

/**
 * Opens a menu of secondary actions. Its code loads on the first click; the menu then stays mounted, because the focus returns to its
 * button.
 */
export function MoreButton({ label = commonTexts.more, actions, pending }: Props) {
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
