import { paths } from '@ovation/contract/paths'
import { massMessageTexts } from '@ovation/contract/texts/mass-messages'
import { messageTexts as texts } from '@ovation/contract/texts/messages'
import { restrictionTexts } from '@ovation/contract/texts/restrictions'
import {
  IconArchive,
  IconArchiveOff,
  IconBell,
  IconBellOff,
  IconEye,
  IconEyeOff,
  IconMail,
  IconMailOpened,
  IconPin,
  IconPinnedOff,
  IconSearch,
} from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { hasMuted, mutedOffersQuery, muteOffers } from '../../domain/mass-messages/muted-offers.ts'
import type { Conversation } from '../../domain/messages/queries.ts'
import { restrict } from '../../domain/restrictions/restrict.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import MoreMenu from '../../ui/more-menu.tsx'
import { type ConversationAction, changeConversation, showConversation } from './change-conversation.ts'
import { isUnread } from './is-unread.ts'

const icons = {
  pin: IconPin,
  unpin: IconPinnedOff,
  archive: IconArchive,
  unarchive: IconArchiveOff,
  markUnread: IconMail,
  markRead: IconMailOpened,
}

/** What the viewer can do with a conversation (INBOX-01). A restricted fan's has its own folder, and can only be read or unread there. */
const actionsOn = (conversation: Conversation): ConversationAction[] => [
  isUnread(conversation) ? 'markRead' : 'markUnread',
  ...(conversation.is_restricted
    ? []
    : ([
        ...(conversation.is_archived ? [] : [conversation.is_pinned ? 'unpin' : 'pin']),
        conversation.is_archived ? 'unarchive' : 'archive',
      ] as ConversationAction[])),
]

type Props = {
  label: string
  conversation: Conversation
  open: boolean
  isOffer: boolean
  isCreator: boolean
  onSearch?: (() => void) | undefined
}

/** The menu of a conversation, mounted when it opens. */
export default function ConversationActions({ label, conversation, open, isOffer, isCreator, onSearch }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isRestricted = conversation.is_restricted
  const fan = { id: conversation.other_id, name: nameOf(conversation) }
  const { data: muted } = useQuery({ ...mutedOffersQuery(), enabled: conversation.is_verified })
  const isMuted = muted ? hasMuted(muted, fan.id) : isOffer
  const mute = {
    label: isMuted ? massMessageTexts.mute.undo : massMessageTexts.mute.action,
    icon: isMuted ? IconBell : IconBellOff,
    onSelect: () => void muteOffers(queryClient, fan, !isMuted),
  }
  // The rest is about the conversation, which may not exist yet.
  if (isOffer) return <MoreMenu label={label} actions={[mute]} />
  return (
    <MoreMenu
      label={label}
      actions={[
        ...(onSearch ? [{ label: texts.find.action, icon: IconSearch, onSelect: onSearch }] : []),
        ...actionsOn(conversation).map((action) => ({
          label: texts.actions[action],
          icon: icons[action],
          onSelect: () => {
            // An open thread would read it again.
            const leaves = open && action === 'markUnread'
            if (leaves) navigate(paths.messages, { preventScrollReset: true })
            void changeConversation(queryClient, conversation, action, { outlivesScreen: leaves })
          },
        })),
        ...(muted ? [mute] : []),
        ...(isCreator
          ? [
              {
                label: isRestricted ? restrictionTexts.lift : restrictionTexts.restrict(fan.name),
                icon: isRestricted ? IconEye : IconEyeOff,
                onSelect: () => {
                  showConversation(queryClient, { ...conversation, is_restricted: !isRestricted })
                  void restrict(queryClient, fan, !isRestricted)
                },
              },
            ]
          : []),
      ]}
    />
  )
}
