import { massMessageTexts } from '@ovation/contract/texts/mass-messages'
import { messageTexts } from '@ovation/contract/texts/messages'
import { IconArrowBackUp, IconBell, IconBellOff, IconCornerUpLeft, IconFlag } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { hasMuted, mutedOffersQuery, muteOffers } from '../../domain/mass-messages/muted-offers.ts'
import type { Message } from '../../domain/messages/queries.ts'
import type { MoreAction } from '../../ui/more-menu.tsx'
import MoreMenu from '../../ui/more-menu.tsx'
import { canUnsend } from './can-unsend.ts'
import { ReactionItems } from './reaction-items.tsx'
import { reactionOf, useReact } from './use-react.ts'

const EmojiDialog = lazy(() => import('./emoji-dialog.tsx'))
const ReportDialog = lazy(() => import('../../domain/reports/report-dialog.tsx'))
const UnsendDialog = lazy(() => import('./unsend-dialog.tsx'))

export type MessageMenuProps = {
  message: Message
  mine: boolean
  name: string
  /** Whether the viewer may write to the other user, and so react and reply. */
  canMessage: boolean
  onReply: () => void
  onUnsent: () => void
}

/**
 * The actions on a message: react and reply (INBOX-06), report another user's (D43), and unsend the viewer's own (INBOX-07). Mounted when it
 * opens.
 */
export default function MessageMenuOpen({ message, mine, name, canMessage, onReply, onUnsent }: MessageMenuProps) {
  const react = useReact(message, mine)
  const [open, setOpen] = useState<'emoji' | 'report' | 'unsend'>()
  const close = () => setOpen(undefined)
  const queryClient = useQueryClient()
  // Only creators sell messages.
  const { data: muted } = useQuery({ ...mutedOffersQuery(), enabled: !mine && message.is_paid })
  const isMuted = muted !== undefined && hasMuted(muted, message.sender_id)

  const actions: MoreAction[] = []
  if (canMessage) actions.push({ label: messageTexts.reply.action, icon: IconCornerUpLeft, onSelect: onReply })
  if (mine && canUnsend(message))
    actions.push({ label: messageTexts.unsend.action, icon: IconArrowBackUp, onSelect: () => setOpen('unsend') })
  if (muted)
    actions.push({
      label: isMuted ? massMessageTexts.mute.undoFrom(name) : massMessageTexts.mute.actionFrom(name),
      icon: isMuted ? IconBell : IconBellOff,
      onSelect: () => void muteOffers(queryClient, { id: message.sender_id, name }, !isMuted),
    })
  if (!mine) actions.push({ label: messageTexts.report, icon: IconFlag, onSelect: () => setOpen('report') })

  return (
    <>
      <MoreMenu
        label={mine ? messageTexts.moreForMine : messageTexts.moreFor(name)}
        actions={actions}
        top={
          canMessage &&
          !message.is_locked && (
            <ReactionItems chosen={reactionOf(message, mine)} onChoose={react} onMore={() => setOpen('emoji')} />
          )
        }
      />
      <Suspense>
        {open === 'emoji' && <EmojiDialog chosen={reactionOf(message, mine)} onChoose={react} onClose={close} />}
        {open === 'report' && <ReportDialog target={{ type: 'message', id: message.id }} onClose={close} />}
        {open === 'unsend' && <UnsendDialog message={message} name={name} onUnsent={onUnsent} onClose={close} />}
      </Suspense>
    </>
  )
}
