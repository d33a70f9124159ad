import { messageTexts as texts } from '@ovation/contract/texts/messages'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import {
  type Conversation,
  type ConversationFilter,
  type ConversationsShown,
  conversationQuery,
  conversationsKey,
} from '../../domain/messages/queries.ts'
import { messagesKey } from '../../domain/messages/unread.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { isUnread } from './is-unread.ts'

type State = { is_pinned?: boolean; is_archived?: boolean; is_unread?: boolean }
export type ConversationAction = keyof typeof texts.actionsDone
type Steps = { does: State; undoes: (before: Conversation) => State }

const steps: Readonly<Record<ConversationAction, Steps>> = {
  pin: { does: { is_pinned: true }, undoes: () => ({ is_pinned: false }) },
  unpin: { does: { is_pinned: false }, undoes: () => ({ is_pinned: true }) },
  // Archiving unpins.
  archive: { does: { is_archived: true }, undoes: ({ is_pinned }) => ({ is_archived: false, is_pinned }) },
  unarchive: { does: { is_archived: false }, undoes: () => ({ is_archived: true }) },
  markUnread: { does: { is_unread: true }, undoes: () => ({ is_unread: false }) },
  markRead: { does: { is_unread: false }, undoes: () => ({ is_unread: true }) },
}

/** Of the filters for conversations; that for muted offers shows something else. */
const isIn: Readonly<Record<Exclude<ConversationFilter, 'offers'>, (conversation: Conversation) => boolean>> = {
  all: () => true,
  unread: isUnread,
  unanswered: ({ waiting_since }) => waiting_since !== null,
  subscribers: ({ is_subscriber }) => is_subscriber,
  archived: () => true,
  restricted: () => true,
}
const folderOf = ({ is_restricted, is_archived }: Conversation) =>
  is_restricted ? 'restricted' : is_archived ? 'archived' : 'inbox'
/** Whether a filter shows the conversation: the archive and the restricted ones only show up in their own. */
const shows = (filter: keyof typeof isIn, conversation: Conversation): boolean =>
  folderOf(conversation) === (filter === 'archived' || filter === 'restricted' ? filter : 'inbox') &&
  isIn[filter](conversation)

const withState = (conversation: Conversation, { is_pinned, is_archived, is_unread }: State): Conversation => ({
  ...conversation,
  is_pinned: is_pinned ?? (is_archived ? false : conversation.is_pinned),
  is_archived: is_archived ?? conversation.is_archived,
  is_marked_unread: is_unread ?? conversation.is_marked_unread,
  unread_count: is_unread === false ? 0 : conversation.unread_count,
})

const changeKey = [...messagesKey, 'change'] as const

/** Shows in all lists what a conversation has become. The order is right again after the refetch; only a pinned one moves at once. */
export function showConversation(queryClient: QueryClient, changed: Conversation): void {
  queryClient.setQueryData(conversationQuery(changed.other_id).queryKey, changed)
  for (const { queryKey } of queryClient.getQueryCache().findAll({ queryKey: conversationsKey })) {
    const { filter } = queryKey[2] as ConversationsShown
    if (filter === 'offers') continue
    queryClient.setQueryData<InfiniteData<Conversation[]>>(queryKey, (list) => {
      if (!list) return list
      const before = list.pages.flat().find(({ other_id }) => other_id === changed.other_id)
      if (!before) return list
      const moves = changed.is_pinned && !before.is_pinned
      const pages = list.pages.map((page) =>
        page.flatMap((one) => {
          if (one.other_id !== changed.other_id) return [one]
          return shows(filter, changed) && !moves ? [changed] : []
        }),
      )
      const [first = [], ...rest] = pages
      return { ...list, pages: moves && shows(filter, changed) ? [[changed, ...first], ...rest] : pages }
    })
  }
}

/** Refetches what a conversation's state is part of. */
export async function refreshConversations(queryClient: QueryClient): Promise<void> {
  await Promise.all(
    ['conversations', 'conversation', 'unread'].map((part) =>
      queryClient.invalidateQueries({ queryKey: [...messagesKey, part] }),
    ),
  )
}

/** Changes a conversation, optimistically; refetches if the server rejects it. */
async function change(queryClient: QueryClient, conversation: Conversation, state: State): Promise<boolean> {
  // Not `useMutation`: several changes run at the same time, and a row may disappear with its own change.
  const mutation = queryClient.getMutationCache().build(queryClient, {
    mutationKey: changeKey,
    onMutate: async () => {
      await queryClient.cancelQueries({ queryKey: conversationsKey })
      showConversation(queryClient, withState(conversation, state))
    },
    mutationFn: async () => {
      const { error } = await supabase.rpc('update_conversation', { other_id: conversation.other_id, ...state })
      if (error) throw error
    },
  })
  try {
    await mutation.execute(undefined)
    return true
  } catch (error) {
    const isFull = (error as { code?: string }).code === 'PT409'
    toast.error(isFull ? texts.tooManyPinned : texts.changeFailed)
    return false
  } finally {
    // The last one of several: a refetch before it would show the others' state of before.
    if (queryClient.isMutating({ mutationKey: changeKey }) === 0) void refreshConversations(queryClient)
  }
}

/** Pins, archives, or marks a conversation, and offers to undo it (INBOX-01). */
export async function changeConversation(
  queryClient: QueryClient,
  conversation: Conversation,
  action: ConversationAction,
  { outlivesScreen = false } = {},
): Promise<void> {
  const { does, undoes } = steps[action]
  if (!(await change(queryClient, conversation, does))) return
  toast.undo(
    texts.actionsDone[action],
    () => void change(queryClient, withState(conversation, does), undoes(conversation)),
    { outlivesScreen },
  )
}

/** A conversation that the viewer marked as unread is read once they open it. Errors are ignored: the mark stays. */
export async function unmark(queryClient: QueryClient, otherId: string): Promise<void> {
  const known = await queryClient.fetchQuery(conversationQuery(otherId)).catch(() => null)
  if (!known?.is_marked_unread) return
  const { error } = await supabase.rpc('update_conversation', { other_id: otherId, is_unread: false })
  if (!error) await refreshConversations(queryClient)
}
