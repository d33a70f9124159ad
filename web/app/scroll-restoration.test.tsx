import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { Outlet } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openMemoryHistory } from '../testing/memory-history.ts'

const screens = ['/long', '/other'].map((path) => ({
  path,
  element: (
    <>
      <h1>{path}</h1>
      <h2 id="größe">Size</h2>
    </>
  ),
}))

beforeEach(() => {
  // Newer browsers return a promise.
  vi.spyOn(window, 'scrollTo').mockImplementation(() => Promise.resolve() as never)
  vi.spyOn(Element.prototype, 'scrollIntoView')
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function openAt(path: string) {
  // A new module instance, as after a reload (`vi.resetModules`).
  const [{ createRouter }, { RouterProvider }, { ScrollRestoration }] = await Promise.all([
    import('./router.ts'),
    import('./router-provider.tsx'),
    import('./scroll-restoration.ts'),
  ])
  const Frame = () => (
    <>
      <Outlet />
      <ScrollRestoration />
    </>
  )
  const history = openMemoryHistory(path)
  const router = createRouter({
    history,
    screens: [{ Component: Frame, children: screens }],
    queryClient: new QueryClient(),
  })
  render(<RouterProvider router={router} />)
  await screen.findByRole('heading', { level: 1 })
  return router
}

const scrollAway = (top: number) => vi.stubGlobal('scrollY', top)

it('opens a new screen at the top, and restores the position on going back', async () => {
  const { navigate, navigator } = await openAt('/long')
  scrollAway(840)
  await navigate('/other')
  await screen.findByRole('heading', { name: '/other' })
  expect(window.scrollTo).toHaveBeenLastCalledWith(0, 0)
  navigator.go(-1)
  await screen.findByRole('heading', { name: '/long' })
  expect(window.scrollTo).toHaveBeenLastCalledWith(0, 840)
  await navigate('/other')
  expect(await screen.findByRole('heading', { name: '/other' })).toBeVisible()
})

it('keeps the position when only the search parameters change', async () => {
  const { navigate } = await openAt('/long')
  vi.mocked(window.scrollTo).mockClear()
  await navigate('/other', { preventScrollReset: true })
  await screen.findByRole('heading', { name: '/other' })
  expect(window.scrollTo).not.toHaveBeenCalled()
})

it('scrolls to the fragment of the URL', async () => {
  const { navigate } = await openAt('/long')
  await navigate('/other#gr%C3%B6%C3%9Fe')
  await screen.findByRole('heading', { name: '/other' })
  expect(vi.mocked(Element.prototype.scrollIntoView).mock.contexts.at(-1)).toBe(screen.getByText('Size'))
})

it('restores the position after a reload', async () => {
  await openAt('/long')
  scrollAway(360)
  window.dispatchEvent(new Event('pagehide'))
  cleanup()
  vi.resetModules()
  scrollAway(0)
  await openAt('/long')
  expect(window.scrollTo).toHaveBeenLastCalledWith(0, 360)
})
