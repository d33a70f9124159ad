import { QueryClient } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { Outlet } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openMemoryHistory } from '../testing/memory-history.ts'
import { createRouter } from './router.ts'
import { RouterProvider } from './router-provider.tsx'
import { useRouterState } from './router-state.ts'
import { RouteProgress } from './shell/route-progress.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A screen whose loader takes `ms`; the frame around it records each router state that it renders with. */
async function openApp(ms: number) {
  const drawn: string[] = []
  const Frame = () => {
    const { location, loading } = useRouterState()
    drawn.push(`${location.pathname}${loading ? ' loading' : ''}`)
    return (
      <>
        <RouteProgress />
        <Outlet />
      </>
    )
  }
  const load = async () => ({
    Component: () => <h1>There</h1>,
    loader: () => new Promise<void>((done) => void setTimeout(done, ms)),
  })
  const router = createRouter({
    history: openMemoryHistory('/'),
    screens: [
      {
        Component: Frame,
        children: [
          { path: '/', element: <h1>Here</h1> },
          { path: '/there', load },
        ],
      },
    ],
    queryClient: new QueryClient(),
  })
  const { unmount } = render(<RouterProvider router={router} />)
  drawn.length = 0
  return { router, drawn, unmount }
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

it('shows no loading state for a screen that loads within 120 ms', async () => {
  const { router, drawn } = await openApp(100)
  void router.navigate('/there')
  await pass(110)
  expect(screen.getByRole('heading')).toHaveTextContent('There')
  await pass(1000)
  expect([...new Set(drawn)]).toEqual(['/there'])
})

it('shows a loading state for a slower screen until it has loaded', async () => {
  const { router } = await openApp(300)
  void router.navigate('/there')
  await pass(110)
  expect(screen.queryByRole('progressbar')).toBeNull()
  await pass(20)
  expect(screen.getByRole('progressbar')).toBeInTheDocument()
  expect(screen.getByRole('heading')).toHaveTextContent('Here')
  await pass(300)
  expect(screen.queryByRole('progressbar')).toBeNull()
  expect(screen.getByRole('heading')).toHaveTextContent('There')
})

it('leaves no timer behind', async () => {
  const { router, unmount } = await openApp(300)
  void router.navigate('/there')
  await pass(0)
  unmount()
  expect(vi.getTimerCount()).toBe(1) // the loader's own
})
