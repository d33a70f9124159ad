import { messageTexts } from '@ovation/contract/texts/messages'
import { type UseInfiniteQueryResult, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { type Message, threadAroundQuery, threadQuery } from '../../domain/messages/queries.ts'
import { joinThread } from '../../domain/messages/thread-cache.ts'
import { isId } from '../../lib/api/is-id.ts'
import { toast } from '../../ui/toast.ts'
import { revealMessage } from './message-bubble.tsx'
import { useRevealedMessage } from './use-revealed-message.ts'
import { useSteadyBottom } from './use-steady-bottom.ts'

/** As long as it takes to see where the message is. */
const highlightMs = 3000

/**
 * The thread with another user, at its newest message or, with `message` in the address, at that one (INBOX-02). If it isn't loaded, the
 * messages around it are shown alone until scrolling has loaded everything down to the newest one.
 */
export function useOpenedAt(otherId: string, scroller: RefObject<HTMLElement | null>) {
  const queryClient = useQueryClient()
  const [parameters, setParameters] = useSearchParams()
  const address = parameters.get('message')
  const at = address !== null && isId(address) ? address : null
  const thread = useInfiniteQuery(threadQuery(otherId))
  const newestFirst = useMemo(() => thread.data?.pages.flat() ?? [], [thread.data])
  const isAround = at !== null && !newestFirst.some(({ id }) => id === at)
  const around = useInfiniteQuery({ ...threadAroundQuery(otherId, at ?? ''), enabled: isAround })
  const shown = useMemo(
    () => (isAround ? (around.data?.pages.flat() ?? []) : newestFirst),
    [isAround, around.data, newestFirst],
  )
  const [highlighted, setHighlighted] = useState<string>()

  const leave = () =>
    setParameters(
      (current) => {
        current.delete('message')
        return current
      },
      { replace: true, preventScrollReset: true },
    )
  const show = (id: string) => {
    if (shown.some((message) => message.id === id)) {
      revealMessage(id)
      return setHighlighted(id)
    }
    setParameters(
      (current) => {
        current.set('message', id)
        return current
      },
      { preventScrollReset: true },
    )
  }

  // It was unsent, or isn't of this thread.
  const isGone = isAround && around.data?.pages.flat().length === 0
  const giveUp = useEffectEvent(() => {
    toast.error(messageTexts.reply.gone)
    leave()
  })
  useEffect(() => {
    if (isGone) giveUp()
  }, [isGone])

  const pages = around.data?.pages
  const isWhole = isAround && !isGone && pages !== undefined && !around.hasPreviousPage && !around.isFetching
  useEffect(() => {
    if (isWhole && thread.data) joinThread(queryClient, otherId, pages)
  }, [isWhole, thread.data, queryClient, otherId, pages])

  // Each opening, also of the same message again.
  const opening = useLocation().key
  const target = at !== null && shown.some(({ id }) => id === at) ? `${at} ${opening}` : ''
  useRevealedMessage(target, shown.length, setHighlighted)
  useEffect(() => {
    if (highlighted === undefined) return
    const timer = setTimeout(() => setHighlighted(undefined), highlightMs)
    return () => clearTimeout(timer)
  }, [highlighted])

  useSteadyBottom(scroller, isAround ? shown[0]?.id : undefined)
  const wasAround = useRef(false)
  useLayoutEffect(() => {
    // Zero is the bottom.
    if (wasAround.current && !isAround && at === null && scroller.current) scroller.current.scrollTop = 0
    wasAround.current = isAround
  }, [isAround, at, scroller])

  const query: UseInfiniteQueryResult<{ pages: Message[][] }> = isAround ? around : thread
  return { query, shown, newestFirst, isAround, highlighted, show, leave }
}
