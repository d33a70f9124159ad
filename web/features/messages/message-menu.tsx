import { messageTexts } from '@ovation/contract/texts/messages'
import { lazy, Suspense, useState } from 'react'
import { MoreTrigger } from '../../ui/more-trigger.tsx'
import { canUnsend } from './can-unsend.ts'
import type { MessageMenuProps } from './message-menu-open.tsx'

const MessageMenuOpen = lazy(() => import('./message-menu-open.tsx'))

/** The button of a message's menu. The menu's code loads on the first click, because few menus in a thread are ever opened. */
export function MessageMenu(props: MessageMenuProps) {
  const { message, mine, name, canMessage } = props
  const [isAsked, setAsked] = useState(false)
  if (mine && !canMessage && !canUnsend(message)) return null
  const button = (
    <MoreTrigger label={mine ? messageTexts.moreForMine : messageTexts.moreFor(name)} onClick={() => setAsked(true)} />
  )
  if (!isAsked) return button
  return (
    <Suspense fallback={button}>
      <MessageMenuOpen {...props} />
    </Suspense>
  )
}
