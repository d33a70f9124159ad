import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { testConfig } from '../../testing/config.ts'
import { answer, network } from '../../testing/network.ts'
import { openTab } from '../../testing/open-tab.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { sessionFor, signIn } from '../../testing/sign-in.ts'
import { accessToken, supabase } from '../api/supabase.ts'
import { authClient, currentSession } from './auth-client.ts'
import { sessionKey } from './stored-session.ts'

/** The file of the client: how often it was used, and whether it can be had. */
const file = vi.hoisted(() => ({ used: 0, offline: false }))
vi.mock('@supabase/auth-js', async (importOriginal) => {
  const real = await importOriginal<typeof import('@supabase/auth-js')>()
  return {
    ...real,
    get AuthClient() {
      file.used += 1
      // As a browser says it.
      if (file.offline) throw new TypeError('Failed to fetch dynamically imported module')
      return real.AuthClient
    },
  }
})

const store = (session: object) =>
  localStorage.setItem(sessionKey(window.location.origin), JSON.stringify({ ...sessionFor(), ...session }))
/** A session of its own, told from others by its token. */
const session = (name: string, seconds = 3600) => ({
  ...sessionFor({ claims: { name } }),
  refresh_token: name,
  expires_at: Math.floor(Date.now() / 1000) + seconds,
})

/** Answers auth/v1 and one table, and keeps the order in which they were asked, and with which token. */
function watchDoors(renewed: object): string[] {
  const asked: string[] = []
  network.use(
    http.post('*/auth/v1/token', async ({ request }) => {
      const { refresh_token } = (await request.json()) as { refresh_token: string }
      asked.push(`renew ${refresh_token}`)
      return HttpResponse.json(renewed)
    }),
    http.get('*/rest/v1/posts', ({ request }) => {
      asked.push(`posts ${request.headers.get('authorization')}`)
      return HttpResponse.json([])
    }),
  )
  return asked
}

beforeEach(async () => {
  file.offline = false
  await openTab()
  file.used = 0
})
afterEach(() => {
  vi.useRealTimers()
  window.history.replaceState(null, '', '/')
})

describe('before the client is there', () => {
  it('sends the stored token, and none of it waits for the client [GEN-13, GEN-36]', async () => {
    const stored = session('stored')
    store(stored)
    const asked = watchDoors({})
    await supabase.from('posts').select()
    expect(asked).toEqual([`posts Bearer ${stored.access_token}`])
    expect((await currentSession())?.user.email).toBe('ada@example.com')
    expect(file.used).toBe(0)
  })

  it('sends the public key where nobody is signed in, or the second factor is owed [GEN-13, AUTH-19, GEN-36]', async () => {
    expect([await accessToken(), await currentSession()]).toEqual([testConfig.anonKey, null])
    store(sessionFor({ claims: { second_factor: 'pending' } }))
    expect(await accessToken()).toBe(testConfig.anonKey)
    expect(file.used).toBe(0)
  })

  it.each([
    ['ends within 90 s', 89],
    ['has ended', -5],
  ])('renews a session that %s before anything is asked [AUTH-25]', async (_case, seconds) => {
    const renewed = session('renewed')
    store(session('stored', seconds))
    const asked = watchDoors(renewed)
    await Promise.all([supabase.from('posts').select(), supabase.from('posts').select()])
    const posts = `posts Bearer ${renewed.access_token}`
    expect(asked).toEqual(['renew stored', posts, posts])
    expect(file.used).toBe(1)
  })

  it('leaves it to the client what a clock that is two hours fast makes of a session [AUTH-25]', async () => {
    store(session('stored'))
    const renewed = session('renewed')
    const asked = watchDoors(renewed)
    vi.setSystemTime(Date.now() + 2 * 3_600_000)
    await supabase.from('posts').select()
    // How often it renews then is the client's own affair.
    expect([asked[0], asked.at(-1)]).toEqual(['renew stored', `posts Bearer ${renewed.access_token}`])
    expect(asked.filter((what) => what.startsWith('posts'))).toHaveLength(1)
  })

  it('follows what another tab stores: a renewed session, another person, nobody', async () => {
    for (const name of ['first', 'renewed', 'another']) {
      const stored = session(name)
      store(stored)
      expect(await accessToken()).toBe(stored.access_token)
    }
    localStorage.clear()
    expect(await accessToken()).toBe(testConfig.anonKey)
    expect(file.used).toBe(0)
  })

  it('asks the client about a link that signs in, whoever was signed in before', async () => {
    store(session('stored'))
    const linked = session('linked')
    network.use(http.get('*/auth/v1/user', () => HttpResponse.json(linked.user)))
    const { access_token, refresh_token, expires_at } = linked
    const fragment = { access_token, refresh_token, token_type: 'bearer', expires_in: '3600' }
    window.history.replaceState(null, '', `/#${new URLSearchParams({ ...fragment, expires_at: String(expires_at) })}`)
    expect(await accessToken()).toBe(access_token)
    expect(window.location.hash).toBe('')
  })

  it('takes the code of a promotion for no such link [D35]', async () => {
    window.history.replaceState(null, '', '/profile/ada?tab=subscribe&code=SUMMER')
    store(session('stored'))
    expect((await currentSession())?.refresh_token).toBe('stored')
    expect(file.used).toBe(0)
  })

  it.each([
    ['no JSON', '{'],
    ['no session', JSON.stringify({ access_token: 7 })],
  ])('is nobody where %s is stored', async (_case, text) => {
    localStorage.setItem(sessionKey(window.location.origin), text)
    expect(await accessToken()).toBe(testConfig.anonKey)
  })
})

it('is nobody where storage is blocked, and whoever signs in once the client keeps the session [GEN-13, AUTH-27]', async () => {
  const own = Object.getOwnPropertyDescriptor(globalThis, 'localStorage') ?? {}
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get: () => {
      throw new DOMException('denied', 'SecurityError')
    },
  })
  try {
    expect(await accessToken()).toBe(testConfig.anonKey)
    const signedIn = session('signed in')
    network.use(http.post('*/auth/v1/token', () => HttpResponse.json(signedIn)))
    await (await authClient()).signInWithPassword({ email: 'ada@example.com', password: 'correct horse battery' })
    expect(await accessToken()).toBe(signedIn.access_token)
  } finally {
    Object.defineProperty(globalThis, 'localStorage', own)
  }
})

it('reads a session that is stored and lasts past the client too, and leaves to it one that ends', async () => {
  const client = await authClient()
  const asked = vi.spyOn(client, 'getSession')
  const stored = session('stored')
  store(stored)
  expect((await currentSession())?.refresh_token).toBe('stored')
  expect(asked).not.toHaveBeenCalled()

  watchDoors(session('renewed'))
  store(session('ends', 60))
  expect((await currentSession())?.refresh_token).toBe('renewed')
  expect(asked).toHaveBeenCalledOnce()
})

describe('where the client’s file does not come', () => {
  const words = "We can't reach the server. Check your connection and try again."

  it('reads as who is signed in, says so on the screen of a session that has ended, and reads after a retry [ERR-04]', async () => {
    file.offline = true
    store(session('stored'))
    const asked = watchDoors(session('renewed'))
    await supabase.from('posts').select()
    expect(asked).toHaveLength(1)

    store(session('ended', -5))
    const { error } = await supabase.from('posts').select()
    expect(error?.message).toContain('Failed to fetch')
    expect(asked).toHaveLength(1) // and nobody was asked with a token that has ended, nor as a visitor

    file.offline = false
    expect((await supabase.from('posts').select()).error).toBeNull()
    expect(asked.at(-2)).toBe('renew ended')
  })

  it('says it on the form that signs in, which works with the next press [AUTH-14, ERR-04]', async () => {
    renderRoute('/auth')
    await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'correct horse battery')
    await openTab()
    file.offline = true
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(words)

    file.offline = false
    network.use(
      http.post('*/auth/v1/token', () =>
        HttpResponse.json({ code: 'invalid_credentials', msg: 'Invalid login credentials' }, { status: 400 }),
      ),
    )
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(await screen.findByText('Invalid login credentials')).toBeVisible()
  })

  it('shows the screen of an ended session as one that failed, with a way on', async () => {
    vi.mocked(console.error).mockImplementation(() => undefined)
    file.offline = true
    signIn()
    store(session('ended', -5))
    network.use(answer('rpc/get_feed', []))
    renderRoute('/')
    expect(await screen.findByRole('heading', { name: 'Something went wrong' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Retry' })).toBeVisible()
    vi.mocked(console.error).mockClear()
  })
})

it('comes by itself when the first screen is at rest, and without a connection as soon as there is one [AUTH-25]', async () => {
  file.offline = true
  signIn()
  network.use(answer('rpc/get_feed', []), answer('rpc/discover_creators', []))
  renderRoute('/')
  await waitFor(() => expect(file.used).toBe(1))
  expect(screen.getByRole('button', { name: 'Account menu' })).toBeVisible()
  file.offline = false
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(file.used).toBe(2))
  // The client is there: it heeds what other tabs tell.
  const channel = new BroadcastChannel(sessionKey(window.location.origin))
  localStorage.clear()
  channel.postMessage({ event: 'SIGNED_OUT', session: null })
  expect(await screen.findByRole('link', { name: 'Sign In' })).toBeVisible()
  channel.close()
})
