import { QueryClient } from '@tanstack/react-query'
import { createPath } from 'react-router'
import { expect, it, vi } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { openMemoryHistory } from '../testing/memory-history.ts'
import { FailedScreen } from './failed-screen.tsx'
import { Redirect } from './redirect.ts'
import { createRouter, type LoaderArguments, type ScreenRoute } from './router.ts'

const Screen = () => null
const screen = (path: string, loader?: (args: LoaderArguments) => void | Promise<void>): ScreenRoute => ({
  path,
  load: async () => ({ Component: Screen, loader }),
})
const guarded = screen('/guarded', () => {
  throw new Redirect('/sign-in?next=%2Fguarded')
})

/** A router that has opened the last of these addresses. */
async function routerAt(addresses: string[], screens: ScreenRoute[]) {
  const history = openMemoryHistory(...addresses)
  const all = [...screens, screen('*')]
  const router = createRouter({ history, screens: all, queryClient: new QueryClient() })
  await arrived(router)
  return router
}

type Router = ReturnType<typeof createRouter>
const arrived = (router: Router) => eventually(() => expect(router.state.loading).toBe(false))
const addressOf = (router: Router) => createPath(router.state.location)
async function goBack(router: Router): Promise<string> {
  router.navigator.go(-1)
  await arrived(router)
  return addressOf(router)
}

/** A promise and its resolvers. */
function held() {
  let release = () => {}
  const promise = new Promise<void>((resolve) => {
    release = resolve
  })
  return { promise, release }
}

it('calls the loader once, with the URL and its parameters, before anything changes', async () => {
  const code = held()
  const loader = vi.fn()
  const router = await routerAt(['/'], [screen('/post/:id', (args) => code.promise.then(() => loader(args)))])
  const arrival = router.navigate('/post/7?tip=cs_1', { state: { from: 'feed' } })
  expect([addressOf(router), router.state.loading]).toEqual(['/', true])
  code.release()
  await arrival
  expect([addressOf(router), router.state.loading]).toEqual(['/post/7?tip=cs_1', false])
  expect(router.state.location.state).toEqual({ from: 'feed' })
  expect(loader).toHaveBeenCalledOnce()
  expect(loader.mock.calls[0]?.[0]).toMatchObject({ params: { id: '7' }, location: { search: '?tip=cs_1' } })
})

it('redirects from a guarded screen, which adds no history entry [GEN-37]', async () => {
  const router = await routerAt(['/'], [guarded])
  await router.navigate('/guarded')
  expect(addressOf(router)).toBe('/sign-in?next=%2Fguarded')
  expect(await goBack(router)).toBe('/')
})

it('replaces the entry of a guarded address that was typed in [GEN-37]', async () => {
  const router = await routerAt(['/', '/guarded'], [guarded])
  expect(addressOf(router)).toBe('/sign-in?next=%2Fguarded')
  expect(await goBack(router)).toBe('/')
})

it('opens the screen of the last navigation, whichever loads first', async () => {
  const slow = held()
  const router = await routerAt(['/'], [screen('/slow', () => slow.promise)])
  const first = router.navigate('/slow')
  await router.navigate('/quick')
  slow.release()
  await first
  expect(addressOf(router)).toBe('/quick')
  expect(await goBack(router)).toBe('/')
})

it('goes back while another screen is loading', async () => {
  const never = screen('/never', () => new Promise(() => {}))
  const router = await routerAt(['/', '/second'], [never])
  void router.navigate('/never')
  expect(router.state.loading).toBe(true)
  expect(await goBack(router)).toBe('/')
})

it('opens a loaded screen without a loader synchronously, so that a second navigation sees the first', async () => {
  const router = await routerAt(['/explore'], [screen('/explore')])
  void router.navigate('/explore?sort=new')
  expect(addressOf(router)).toBe('/explore?sort=new')
})

it('shows an error when a screen’s code fails to load, and opens the next one [ERR-05]', async () => {
  const missing = { path: '/missing', load: () => Promise.reject(new Error('404')) }
  const router = await routerAt(['/'], [missing])
  const drawn = () => router.state.matches?.at(-1)?.route.Component
  await router.navigate('/missing')
  expect([addressOf(router), drawn()]).toEqual(['/missing', FailedScreen])
  vi.mocked(console.error).mockClear()
  await router.navigate('/')
  expect(drawn()).toBe(Screen)
})

it('loads nothing for a fragment of the same page', async () => {
  const loader = vi.fn()
  const router = await routerAt(['/page?a=1'], [screen('/page', loader)])
  await router.navigate('/page?a=1#end')
  expect(addressOf(router)).toBe('/page?a=1#end')
  expect(loader).toHaveBeenCalledTimes(1)
  await router.navigate('/page?a=2#end')
  expect(loader).toHaveBeenCalledTimes(2)
})

it('runs the guards again, also during a navigation', async () => {
  let allowed = true
  const code = held()
  const guard = async () => {
    await code.promise
    if (!allowed) throw new Redirect('/sign-in')
  }
  code.release()
  const router = await routerAt(['/', '/guarded#end'], [screen('/guarded', guard)])
  await router.revalidate()
  expect(addressOf(router)).toBe('/guarded#end')
  allowed = false
  await router.revalidate()
  expect(addressOf(router)).toBe('/sign-in')

  allowed = true
  const arrival = router.navigate('/guarded')
  allowed = false
  await Promise.all([router.revalidate(), arrival])
  expect(addressOf(router)).toBe('/sign-in')
  expect(await goBack(router)).toBe('/sign-in')
  expect(await goBack(router)).toBe('/')
})

it.each(['//evil.example/x', '/\\evil.example/x', '/%2f/evil.example'])('never leaves this site for %s', async (to) => {
  const router = await routerAt(['/'], [])
  await router.navigate(to)
  expect(new URL(createPath(router.state.location), 'http://here.example').origin).toBe('http://here.example')
})
