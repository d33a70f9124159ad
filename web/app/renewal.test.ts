import { act, renderHook } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { useLeavingWarning } from '../lib/use-leaving-warning.ts'
import { network } from '../testing/network.ts'
import { followReleases, useRenewal } from './renewal.ts'

const reload = vi.fn()
beforeAll(() => followReleases(reload))

const documentOf = (build: string) => `<script type="module" crossorigin src="/assets/index-${build}.js"></script>`
let asked = 0
/** The page is of the build `old`; the server's document is this one. */
function serve(html: string, status = 200) {
  network.use(
    http.get('http://localhost:3000/', () => {
      asked += 1
      return HttpResponse.text(html, { status })
    }),
  )
}
beforeEach(() => {
  reload.mockClear()
  asked = 0
  const script = document.createElement('script')
  script.type = 'text/plain' // jsdom is not to run it
  script.setAttribute('src', '/assets/index-old.js')
  document.head.append(script)
})
afterEach(() => {
  document.head.replaceChildren()
  document.body.replaceChildren()
})

const lose = () => act(() => void window.dispatchEvent(new Event('vite:preloadError', { cancelable: true })))
/** Long enough for an answer to have come and been read. */
const wait = () => act(() => new Promise((resolve) => setTimeout(resolve, 60)))

it('leaves a page as it is that only misses a file, or the network, or a server that is still building', async () => {
  const { result } = renderHook(() => useRenewal())
  const answers = [
    () => serve(documentOf('old')),
    () => serve('Not yet', 503),
    () => network.use(http.get('http://localhost:3000/', () => HttpResponse.error())),
  ]
  for (const [index, answer] of answers.entries()) {
    answer()
    lose()
    if (index < 2) await vi.waitFor(() => expect(asked).toBe(index + 1))
    await wait()
    expect([reload.mock.calls.length, result.current]).toEqual([0, false])
  }
  expect(asked).toBe(2)
})

it.each([
  ['a password', '<input type="password" value="typed">'],
  ['a password that is shown', '<input class="mantine-PasswordInput-innerInput" value="typed">'],
  ['a code', '<input autocomplete="one-time-code" value="123">'],
])('does not lose %s that has been typed', async (_what, html) => {
  serve(documentOf('new'))
  document.body.innerHTML = html
  lose()
  await wait()
  expect([asked, reload.mock.calls.length]).toEqual([0, 0])
})

it('does not lose what is still being sent', async () => {
  serve(documentOf('new'))
  const { unmount } = renderHook(() => useLeavingWarning(true))
  lose()
  await wait()
  expect([asked, reload.mock.calls.length]).toEqual([0, 0])
  unmount()
})

it('does not try again from a build that it was loaded anew from before', async () => {
  serve(documentOf('new'))
  sessionStorage.setItem('ovation-renewal:from', '/assets/index-old.js')
  lose()
  await wait()
  expect([asked, reload.mock.calls.length]).toEqual([0, 0])
})

// The last one: nothing comes after a reload.
it('loads a page anew whose build was replaced, once, and meanwhile says of no failure', async () => {
  serve(documentOf('new'))
  const { result } = renderHook(() => useRenewal())
  expect(result.current).toBe(false)
  lose()
  lose()
  expect(result.current).toBe(true)
  await vi.waitFor(() => expect(reload).toHaveBeenCalled())
  lose()
  await wait()
  expect([asked, reload.mock.calls.length, result.current]).toEqual([1, 1, true])
})
