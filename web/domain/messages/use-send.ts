import { commonTexts } from '@ovation/contract/texts/common'
import { messageTexts } from '@ovation/contract/texts/messages'
import { type Mutation, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { uniqueViolation } from '../../lib/api/sqlstate.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import type { MediaPreview } from '../posts/queries.ts'
import { type Message, messageColumns, type Quote } from './queries.ts'
import { putMessage } from './thread-cache.ts'
import { messagesKey } from './unread.ts'

/** A message being sent. The client creates its id, so that a retry after a lost response doesn't send it twice. */
export type Draft = Pick<
  Message,
  'id' | 'sender_id' | 'recipient_id' | 'price' | 'media_urls' | 'media_types' | 'created_at'
> & {
  content: string
  /** The position of the free preview among the files. */
  preview_index?: number | undefined
  /** The message that it replies to, and what the thread shows of it until it is sent. */
  quoted_id?: string | undefined
  quote?: Quote | undefined
  /** Object URLs of the files, shown until the message is sent, and what is known of them. */
  previews: string[]
  about: MediaPreview[]
}

/** There was no response. Unlike a rejection, this is temporary, so the message is retried. */
class Unreachable extends Error {}

/** A server error, retried a few times. Then the sender decides (MSG-15). */
class ServerFailed extends Error {
  readonly isLastTry: boolean
  constructor(isLastTry: boolean) {
    super(messageTexts.serverFailed)
    this.isLastTry = isLastTry
  }
}

const maxServerTries = 4
/** The number of server errors for each message, by id. */
const serverFailures = new Map<string, number>()

const maxRetryDelayMs = 15_000

const sendKey = (otherId: string) => [...messagesKey, 'send', otherId]

async function deliver({ previews: _, about: __, created_at: ___, quote: ____, ...draft }: Draft): Promise<Message> {
  const { data, error, status } = await supabase
    .from('messages')
    .insert({ ...draft, is_paid: draft.price > 0 })
    .select(messageColumns)
    .single()
  if (!error) return data as Message
  if (status === 0) throw new Unreachable(commonTexts.offline)
  if (status >= 500) {
    const tries = (serverFailures.get(draft.id) ?? 0) + 1
    const isLastTry = tries === maxServerTries
    if (isLastTry) serverFailures.delete(draft.id)
    else serverFailures.set(draft.id, tries)
    throw new ServerFailed(isLastTry)
  }
  serverFailures.delete(draft.id)
  if (error.code !== uniqueViolation) throw error
  const { data: arrived } = await supabase
    .from('messages')
    .select(messageColumns)
    .eq('id', draft.id)
    .single()
    .throwOnError()
  return arrived as Message
}

export type Outgoing = {
  draft: Draft
  /** `waiting`: offline; sent automatically once connected. */
  state: 'sending' | 'waiting' | 'failed'
  /** The reason for the failure. */
  reason?: string
  mutation: Mutation<Message, Error, Draft>
}

/**
 * Sends messages to a user, in order, and tracks the unsent ones. A message survives leaving the screen and losing the connection: it is
 * retried until the server responds. If the server rejects it, or fails several times, the sender decides.
 */
export function useSend(otherId: string, onSent: (text: string) => void) {
  const queryClient = useQueryClient()
  const cache = queryClient.getMutationCache()

  const sending = useMutation<Message, Error, Draft>({
    mutationKey: sendKey(otherId),
    scope: { id: `messages to ${otherId}` },
    gcTime: Number.POSITIVE_INFINITY,
    networkMode: 'online', // while offline, it waits for the connection
    retry: (_count, error) => error instanceof Unreachable || (error instanceof ServerFailed && !error.isLastTry),
    retryDelay: (count) => Math.min(1_000 * 2 ** count, maxRetryDelayMs),
    mutationFn: deliver,
    onSuccess: (message, draft) => {
      putMessage(queryClient, otherId, message)
      for (const preview of draft.previews) URL.revokeObjectURL(preview)
      for (const done of cache.findAll({ mutationKey: sendKey(otherId), status: 'success' })) cache.remove(done)
      void queryClient.invalidateQueries({ queryKey: [...messagesKey, 'conversations'] })
      void queryClient.invalidateQueries({ queryKey: [...messagesKey, 'conversation'] })
      onSent(message.is_paid ? messageTexts.sentAsPaid(formatCents(message.price)) : messageTexts.sent)
    },
    // The other user may no longer accept messages: refetch it, so that the screen shows that.
    onError: () => void queryClient.invalidateQueries({ queryKey: [...messagesKey, 'person'] }),
  })

  const outgoing = useMutationState<Outgoing | undefined>({
    filters: { mutationKey: sendKey(otherId) },
    select: (entry) => {
      const mutation = entry as Mutation<Message, Error, Draft>
      const { status, variables, isPaused, failureReason, error } = mutation.state
      if (!variables || (status !== 'pending' && status !== 'error')) return undefined
      const waiting = isPaused || failureReason instanceof Unreachable
      const state = status === 'error' ? 'failed' : waiting ? 'waiting' : 'sending'
      return { draft: variables, state, reason: error?.message, mutation }
    },
  }).filter((entry) => entry !== undefined)

  const forget = ({ mutation, draft }: Outgoing) => {
    cache.remove(mutation)
    return draft
  }
  return {
    outgoing,
    send: sending.mutate,
    retry: (entry: Outgoing) => sending.mutate(forget(entry)),
    discard: (entry: Outgoing) => {
      for (const preview of forget(entry).previews) URL.revokeObjectURL(preview)
    },
  }
}
