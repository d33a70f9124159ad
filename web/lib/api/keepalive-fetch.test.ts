import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { network } from '../../testing/network.ts'
import { fetchAsCaller } from './supabase.ts'

const url = 'http://localhost/rest/v1/notes'

/** Records requests, and responds when the test says so. */
function slowApi() {
  const sent: { bytes: number; keepalive: boolean }[] = []
  const answers: (() => void)[] = []
  network.use(
    http.post('*/rest/v1/notes', async ({ request }) => {
      sent.push({ bytes: (await request.arrayBuffer()).byteLength, keepalive: request.keepalive })
      await new Promise<void>((answer) => answers.push(answer))
      return new HttpResponse(null, { status: 201 })
    }),
  )
  return {
    sent,
    answerAll: () => {
      for (const answer of answers) answer()
    },
  }
}
const write = (body: string) => fetchAsCaller(url, { method: 'POST', body })
const kept = (sent: { bytes: number; keepalive: boolean }[]) =>
  sent.filter(({ keepalive }) => keepalive).reduce((sum, { bytes }) => sum + bytes, 0)

it('small requests outlive their page, and large ones don’t [SET-07]', async () => {
  const { sent, answerAll } = slowApi()
  const writes = [write('{"tips":true}'), write('x'.repeat(100_000))]
  await expect.poll(() => sent.length).toBe(2)
  expect(sent.toSorted((a, b) => a.bytes - b.bytes)).toEqual([
    { bytes: 13, keepalive: true },
    { bytes: 100_000, keepalive: false },
  ])
  answerAll()
  await Promise.all(writes)
})

it('many requests at once stay within the browser’s keepalive limits, and all are sent [SET-07]', async () => {
  const { sent, answerAll } = slowApi()
  // Three bytes per character: 240 kB in all.
  const writes = Array.from({ length: 40 }, () => write('ก'.repeat(2_000)))
  await expect.poll(() => sent.length).toBe(40)
  expect(kept(sent)).toBeGreaterThan(0)
  expect(kept(sent)).toBeLessThanOrEqual(60_000)
  const short = Array.from({ length: 300 }, () => write('{}'))
  await expect.poll(() => sent.length).toBe(340)
  expect(sent.filter(({ keepalive }) => keepalive).length).toBeLessThanOrEqual(100)
  answerAll()
  await Promise.all([...writes, ...short])
  const next = write('{"tips":true}')
  await expect.poll(() => sent.at(-1)).toEqual({ bytes: 13, keepalive: true })
  answerAll()
  await next
})
