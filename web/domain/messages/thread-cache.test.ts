import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { type Message, threadPageSize, threadQuery } from './queries.ts'
import { removeMessage, takeInNewest } from './thread-cache.ts'

const message = (id: number, over: Partial<Message> = {}) => ({ id: String(id), is_read: false, ...over }) as Message
const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, step) => message(from - step))
const ids = (pages: Message[][]) =>
  pages.map((page) => page.flatMap(({ id, is_gone }) => (is_gone ? [] : [Number(id)])))

it('adds new messages before known ones, once, and updates changed ones [MSG-11]', () => {
  const thread = { pages: [range(4, 3), range(2, 1)], pageParams: [undefined, undefined] }
  const { pages } = takeInNewest(thread, [message(5), message(4, { is_read: true }), message(3), message(2)])
  expect(ids(pages)).toEqual([
    [5, 4, 3],
    [2, 1],
  ])
  expect(pages[0]?.[1]?.is_read).toBe(true)
})

it('loses messages that were unsent, and keeps those of older pages [INBOX-07]', () => {
  const at = (id: number) => message(id, { created_at: `2024-05-04T10:00:${String(id).padStart(2, '0')}Z` })
  const known = {
    pages: [
      [at(45), at(44), at(43)],
      [at(12), at(11)],
    ],
    pageParams: [undefined, undefined],
  }
  const full = [at(45), at(43), ...range(42, 42 - threadPageSize + 3).map(({ id }) => at(Number(id)))]
  expect(ids(takeInNewest(known, full).pages)).toEqual([full.map(({ id }) => Number(id)), [12, 11]])
  expect(ids(takeInNewest(known, [at(45), at(11)]).pages)).toEqual([[45], [11]])
  expect(ids(takeInNewest(known, []).pages)).toEqual([[], []])
})

it('still has older messages to load after one was unsent, wherever it was [INBOX-07]', async () => {
  const at = (id: number) => message(id, { created_at: new Date(id * 1000).toISOString(), recipient_id: 'lena' })
  const page = (from: number) => range(from, from + 1 - threadPageSize).map(({ id }) => at(Number(id)))
  const queryClient = new QueryClient()
  const { queryKey, getNextPageParam } = threadQuery('lena')
  const shown = () => ids(queryClient.getQueryData(queryKey)?.pages ?? []).flat()
  const next = () => {
    const pages = queryClient.getQueryData(queryKey)?.pages ?? []
    return getNextPageParam(pages.at(-1) ?? [], pages, undefined, [])?.id
  }
  const last = 200 - 2 * threadPageSize
  for (const unsent of [199, last + 5]) {
    queryClient.setQueryData(queryKey, {
      pages: [page(200), page(200 - threadPageSize)],
      pageParams: [undefined, at(0)],
    })
    removeMessage(queryClient, at(unsent))
    expect([shown().length, next()]).toEqual([2 * threadPageSize - 1, String(last + 1)])
    const newest = page(200).filter(({ id }) => id !== String(unsent))
    const whole = newest.length < threadPageSize ? [...newest, at(200 - threadPageSize)] : newest
    queryClient.setQueryData(queryKey, (known) => known && takeInNewest(known, whole))
    expect([shown().length, next()]).toEqual([2 * threadPageSize - 1, String(last + 1)])
    expect(new Set(shown()).size).toBe(2 * threadPageSize - 1)
  }
})

it('starts over when the new messages exceed a page, so that none is skipped [MSG-11]', () => {
  const thread = { pages: [range(40, 11), range(10, 1)], pageParams: [undefined, undefined] }
  const newest = range(100, 101 - threadPageSize)
  expect(ids(takeInNewest(thread, newest).pages)).toEqual([newest.map(({ id }) => Number(id))])
})

it('takes in all messages that a thread shows, however old the one that changed is [INBOX-06, INBOX-07]', () => {
  const at = (id: number, over: Partial<Message> = {}) =>
    message(id, { created_at: new Date(id * 1000).toISOString(), ...over })
  const known = {
    pages: [range(60, 31).map(({ id }) => at(Number(id))), range(30, 1).map(({ id }) => at(Number(id)))],
    pageParams: [undefined, at(31)],
  }
  // A new message, a reaction to an old one, and an old one that was unsent.
  const newest = range(61, 1).flatMap(({ id }) => {
    if (id === '5') return []
    return [at(Number(id), id === '7' ? { recipient_reaction: '👍' } : {})]
  })
  const { pages } = takeInNewest(known, newest.slice(0, 60), 60)
  expect(ids(pages)[0]?.slice(0, 2)).toEqual([61, 60])
  expect(ids(pages)[1]).toEqual([...range(30, 6), ...range(4, 1)].map(({ id }) => Number(id)))
  expect(pages[1]?.find(({ id }) => id === '7')?.recipient_reaction).toBe('👍')
})

it('keeps a message that was sent while the page loaded above the page [MSG-11]', () => {
  const at = (second: number) => ({ created_at: `2024-05-04T10:00:0${second}Z` })
  const thread = { pages: [[message(3, at(3)), message(1, at(1))]], pageParams: [undefined] }
  const { pages } = takeInNewest(thread, [message(2, at(2)), message(1, at(1))])
  expect(ids(pages)).toEqual([[3, 2, 1]])
})
