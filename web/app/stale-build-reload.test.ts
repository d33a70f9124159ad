import { act, renderHook } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { useLeavingWarning } from '../lib/browser/use-leaving-warning.ts'
import { network } from '../testing/network.ts'
import { reloadStaleBuilds, useStaleBuildReload } from './stale-build-reload.ts'

const reload = vi.fn()
beforeAll(() => reloadStaleBuilds(reload))

const documentOf = (build: string) => `<script type="module" crossorigin src="/assets/index-${build}.js"></script>`
let asked = 0
/** The page is from the build `old`; the server's document names this build. */
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
  script.type = 'text/plain' // jsdom must not run it
  script.setAttribute('src', '/assets/index-old.js')
  document.head.append(script)
})
afterEach(() => {
  document.head.replaceChildren()
  document.body.replaceChildren()
})

const lose = () => act(() => void window.dispatchEvent(new Event('vite:preloadError', { cancelable: true })))

it('does not reload for a missing file, without a network, or while the server is still building', async () => {
  const { result } = renderHook(() => useStaleBuildReload())
  const answers = [
    () => serve(documentOf('old')),
    () => serve('Not yet', 503),
    () => network.use(http.get('http://localhost:3000/', () => HttpResponse.error())),
  ]
  for (const [index, answer] of answers.entries()) {
    answer()
    lose()
    expect(result.current).toBe(true) // it checks for another build
    await eventually(() => expect(result.current).toBe(false)) // and has read the response
    expect(asked).toBe(Math.min(index + 1, 2)) // without a network, the attempt doesn't count
    expect(reload).not.toHaveBeenCalled()
  }
  expect(asked).toBe(2)
})

it.each([
  ['a password', '<input type="password" value="typed">'],
  ['a password that is shown', '<input class="mantine-PasswordInput-innerInput" value="typed">'],
  ['a code', '<input autocomplete="one-time-code" value="123">'],
])('does not lose %s that has been typed', (_what, html) => {
  serve(documentOf('new'))
  document.body.innerHTML = html
  const { result } = renderHook(() => useStaleBuildReload())
  lose()
  // The check starts at once or never.
  expect(result.current).toBe(false)
  expect([asked, reload.mock.calls.length]).toEqual([0, 0])
})

it('does not lose an upload', () => {
  serve(documentOf('new'))
  const { result, unmount } = renderHook(() => {
    useLeavingWarning(true)
    return useStaleBuildReload()
  })
  lose()
  expect(result.current).toBe(false)
  expect([asked, reload.mock.calls.length]).toEqual([0, 0])
  unmount()
})

it('reloads from the same build only once', () => {
  serve(documentOf('new'))
  sessionStorage.setItem('ovation-renewal:from', '/assets/index-old.js')
  const { result } = renderHook(() => useStaleBuildReload())
  lose()
  expect(result.current).toBe(false)
  expect([asked, reload.mock.calls.length]).toEqual([0, 0])
})

// The last test: nothing runs after a reload.
it('reloads a page once when its build was replaced, and shows no error until then', async () => {
  serve(documentOf('new'))
  const asking = vi.spyOn(globalThis, 'fetch') // the check starts at the first failure or never
  const { result } = renderHook(() => useStaleBuildReload())
  expect(result.current).toBe(false)
  lose()
  lose()
  expect(result.current).toBe(true)
  await eventually(() => expect(reload).toHaveBeenCalled())
  lose()
  expect([asking.mock.calls.length, reload.mock.calls.length, result.current]).toEqual([1, 1, true])
  asking.mockRestore()
})
