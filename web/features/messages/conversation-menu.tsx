import { messageTexts as texts } from '@ovation/contract/texts/messages'
import { lazy, Suspense, useState } from 'react'
import type { Conversation } from '../../domain/messages/queries.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { MoreTrigger } from '../../ui/more-trigger.tsx'

const ConversationActions = lazy(() => import('./conversation-actions.tsx'))

type Props = {
  conversation: Conversation
  /** Whether its thread is open. */
  open: boolean
  /** Whether it stands for a muted offer. */
  isOffer?: boolean
  /** Creators can restrict the other user. */
  isCreator: boolean
  /** Searches the messages of the thread; only in the thread itself. */
  onSearch?: () => void
}

/** Opens the actions on a conversation. Their code loads on the first click, as that of every menu. */
export function ConversationMenu({ conversation, open, isOffer = false, isCreator, onSearch }: Props) {
  const [isAsked, setAsked] = useState(false)
  const label = texts.conversationActions(nameOf(conversation))
  const button = <MoreTrigger label={label} onClick={() => setAsked(true)} />
  if (!isAsked) return button
  return (
    <Suspense fallback={button}>
      <ConversationActions
        label={label}
        conversation={conversation}
        open={open}
        isOffer={isOffer}
        isCreator={isCreator}
        onSearch={onSearch}
      />
    </Suspense>
  )
}
