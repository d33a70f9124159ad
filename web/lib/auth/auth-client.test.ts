import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { testConfig } from '../../testing/config.ts'
import { answer, network } from '../../testing/network.ts'
import { openTab } from '../../testing/open-tab.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { sessionFor, signIn } from '../../testing/sign-in.ts'
import { callFunction } from '../api/functions.ts'
import { storage } from '../api/storage.ts'
import { accessToken, supabase } from '../api/supabase.ts'
import { authClient, currentSession } from './auth-client.ts'
import { sessionKey } from './stored-session.ts'

/** The auth client's module: how often it was imported, and whether the import succeeds. */
const file = vi.hoisted(() => ({ used: 0, offline: false }))
vi.mock('@supabase/auth-js', async (importOriginal) => {
  const real = await importOriginal<typeof import('@supabase/auth-js')>()
  return {
    ...real,
    get AuthClient() {
      file.used += 1
      // A browser's message for it.
      if (file.offline) throw new TypeError('Failed to fetch dynamically imported module')
      return real.AuthClient
    },
  }
})

const store = (session: object) =>
  localStorage.setItem(sessionKey(window.location.origin), JSON.stringify({ ...sessionFor(), ...session }))
/** A session with a token that no other session has. */
const session = (name: string, seconds = 3600) => ({
  ...sessionFor({ claims: { name } }),
  refresh_token: name,
  expires_at: Math.floor(Date.now() / 1000) + seconds,
})

/** Responds for auth/v1 and one table, and records the order of the requests and their tokens. */
function recordRequests(renewed: object): string[] {
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

describe('before the client has loaded', () => {
  it('sends the stored token without waiting for the client [GEN-13, GEN-36]', async () => {
    const stored = session('stored')
    store(stored)
    const asked = recordRequests({})
    await supabase.from('posts').select()
    expect(asked).toEqual([`posts Bearer ${stored.access_token}`])
    expect((await currentSession())?.user.email).toBe('ada@example.com')
    expect(file.used).toBe(0)
  })

  it.each([
    ['the public key of a visitor', null],
    ['the token of a session', session('stored')],
  ])('sends every request with the API key and, as bearer, %s [GEN-13, GEN-36]', async (_what, stored) => {
    if (stored) store(stored)
    const sent: (string | null)[][] = []
    network.use(
      http.all('*/:family/v1/*', ({ request }) => {
        sent.push([request.headers.get('apikey'), request.headers.get('authorization')])
        return HttpResponse.json([])
      }),
    )
    await supabase.from('posts').select()
    await storage().from('posts').list('ada')
    await callFunction('check-stripe-status')
    const headers = [testConfig.anonKey, `Bearer ${stored?.access_token ?? testConfig.anonKey}`]
    expect(sent).toEqual([headers, headers, headers])
  })

  it('sends the public key when signed out, or when the second factor is pending [GEN-13, AUTH-19, GEN-36]', async () => {
    expect([await accessToken(), await currentSession()]).toEqual([testConfig.anonKey, null])
    store(sessionFor({ claims: { second_factor: 'pending' } }))
    expect(await accessToken()).toBe(testConfig.anonKey)
    expect(file.used).toBe(0)
  })

  it.each([
    ['ends within 90 s', 89],
    ['has ended', -5],
  ])('refreshes a session that %s before the first request [AUTH-25]', async (_case, seconds) => {
    const renewed = session('renewed')
    store(session('stored', seconds))
    const asked = recordRequests(renewed)
    await Promise.all([supabase.from('posts').select(), supabase.from('posts').select()])
    const posts = `posts Bearer ${renewed.access_token}`
    expect(asked).toEqual(['renew stored', posts, posts])
    expect(file.used).toBe(1)
  })

  it('leaves a session to the client when the clock is two hours fast [AUTH-25]', async () => {
    store(session('stored'))
    const renewed = session('renewed')
    const asked = recordRequests(renewed)
    vi.setSystemTime(Date.now() + 2 * 3_600_000)
    await supabase.from('posts').select()
    // How often it refreshes then is up to the client.
    expect([asked[0], asked.at(-1)]).toEqual(['renew stored', `posts Bearer ${renewed.access_token}`])
    expect(asked.filter((what) => what.startsWith('posts'))).toHaveLength(1)
  })

  it('follows other tabs: a refreshed session, another user, a sign-out', async () => {
    for (const name of ['first', 'renewed', 'another']) {
      const stored = session(name)
      store(stored)
      expect(await accessToken()).toBe(stored.access_token)
    }
    localStorage.clear()
    expect(await accessToken()).toBe(testConfig.anonKey)
    expect(file.used).toBe(0)
  })

  it('leaves sign-in links to the client, even when another user was signed in', async () => {
    store(session('stored'))
    const linked = session('linked')
    network.use(http.get('*/auth/v1/user', () => HttpResponse.json(linked.user)))
    const { access_token, refresh_token, expires_at } = linked
    const fragment = { access_token, refresh_token, token_type: 'bearer', expires_in: '3600' }
    window.history.replaceState(null, '', `/#${new URLSearchParams({ ...fragment, expires_at: String(expires_at) })}`)
    expect(await accessToken()).toBe(access_token)
    expect(window.location.hash).toBe('')
  })

  it('doesn’t mistake a promotion code for a sign-in link [D35]', async () => {
    window.history.replaceState(null, '', '/profile/ada?tab=subscribe&code=SUMMER')
    store(session('stored'))
    expect((await currentSession())?.refresh_token).toBe('stored')
    expect(file.used).toBe(0)
  })

  it.each([
    ['no JSON', '{'],
    ['no session', JSON.stringify({ access_token: 7 })],
  ])('is signed out when %s is stored', async (_case, text) => {
    localStorage.setItem(sessionKey(window.location.origin), text)
    expect(await accessToken()).toBe(testConfig.anonKey)
  })
})

it('is signed out when storage is blocked, and keeps a new session in the client [GEN-13, AUTH-27]', async () => {
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

it('still reads a valid stored session directly once the client has loaded, and leaves an expiring one to it', async () => {
  const client = await authClient()
  const asked = vi.spyOn(client, 'getSession')
  const stored = session('stored')
  store(stored)
  expect((await currentSession())?.refresh_token).toBe('stored')
  expect(asked).not.toHaveBeenCalled()

  recordRequests(session('renewed'))
  store(session('ends', 60))
  expect((await currentSession())?.refresh_token).toBe('renewed')
  expect(asked).toHaveBeenCalledOnce()
})

describe('when the client’s code fails to load', () => {
  const words = "We can't reach the server. Check your connection and try again."

  it('reads with a valid session, shows an error for an expired one, and reads after a retry [ERR-04]', async () => {
    file.offline = true
    store(session('stored'))
    const asked = recordRequests(session('renewed'))
    await supabase.from('posts').select()
    expect(asked).toHaveLength(1)

    store(session('ended', -5))
    const { error } = await supabase.from('posts').select()
    expect(error?.message).toContain('Failed to fetch')
    expect(asked).toHaveLength(1) // and no request had an expired token or the public key

    file.offline = false
    expect((await supabase.from('posts').select()).error).toBeNull()
    expect(asked.at(-2)).toBe('renew ended')
  })

  it('shows the failure on the sign-in form, which works on the next try [AUTH-14, ERR-04]', async () => {
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

  it('shows the screen of an expired session as failed, with a way to go on', async () => {
    vi.mocked(console.error).mockImplementation(() => undefined)
    file.offline = true
    signIn()
    store(session('ended', -5))
    network.use(answer('rpc/get_feed', []))
    renderRoute('/')
    expect(await screen.findByRole('heading', { name: "Couldn't load posts" })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Retry' })).toBeVisible()
    vi.mocked(console.error).mockClear()
  })
})

it('loads when the first screen is idle, and after an offline start as soon as there is a connection [AUTH-25]', async () => {
  file.offline = true
  signIn()
  network.use(answer('rpc/get_feed', []), answer('rpc/discover_creators', []))
  renderRoute('/')
  await waitFor(() => expect(file.used).toBe(1))
  expect(screen.getByRole('button', { name: 'Account menu' })).toBeVisible()
  file.offline = false
  window.dispatchEvent(new Event('offline'))
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(file.used).toBe(2))
  // The client is loaded: it follows other tabs.
  const channel = new BroadcastChannel(sessionKey(window.location.origin))
  localStorage.clear()
  channel.postMessage({ event: 'SIGNED_OUT', session: null })
  expect(await screen.findByRole('link', { name: 'Sign In' })).toBeVisible()
  channel.close()
})
