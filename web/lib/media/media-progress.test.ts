import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { network } from '../../testing/network.ts'
import { connect } from '../api/supabase.ts'
import { noteProgress } from './media-progress.ts'

let sent: unknown[] = []
beforeEach(() => {
  connect()
  sent = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  network.use(
    http.post('*/rest/v1/rpc/record_media_progress', async ({ request }) => {
      const body = await request.json()
      sent.push(body)
      return HttpResponse.json(!JSON.stringify(body).includes('own'))
    }),
  )
})
afterEach(() => {
  vi.useRealTimers()
})
const wait = () => vi.advanceTimersByTime(10_000)

it('sends only the furthest position, at most every ten seconds [STATX-02]', async () => {
  for (const second of [0, 10, 31, 12, 33]) noteProgress('posts/a', second, 100)
  expect(sent).toEqual([])
  wait()
  await expect.poll(() => sent).toEqual([{ file: 'posts/a', percent: 30 }])
  noteProgress('posts/a', 5, 100)
  noteProgress('posts/a', 34, 100)
  wait()
  noteProgress('posts/a', 100, 100)
  wait()
  await expect
    .poll(() => sent)
    .toEqual([
      { file: 'posts/a', percent: 30 },
      { file: 'posts/a', percent: 100 },
    ])
})

it('sends the rest when the page hides [STATX-02]', async () => {
  noteProgress('posts/b', 55, 100)
  dispatchEvent(new Event('pagehide'))
  await expect.poll(() => sent).toEqual([{ file: 'posts/b', percent: 55 }])
})

it('ignores what has no length or no address, and what the server doesn’t count [STATX-02]', async () => {
  noteProgress('posts/own', 10, 100)
  noteProgress('', 10, 100)
  noteProgress('posts/live', 10, Number.POSITIVE_INFINITY)
  noteProgress('posts/unknown', 10, Number.NaN)
  wait()
  await expect.poll(() => sent).toEqual([{ file: 'posts/own', percent: 10 }])
  await vi.waitFor(() => {
    noteProgress('posts/own', 50, 100)
    wait()
    expect(sent).toHaveLength(1)
  })
})
