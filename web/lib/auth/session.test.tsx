import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { standInForCaches } from '../../testing/cache-storage.ts'
import { network } from '../../testing/network.ts'
import { openTab } from '../../testing/open-tab.ts'
import { sessionFor } from '../../testing/sign-in.ts'
import { buildQueryClient } from '../api/query-client.ts'
import { offlineCacheName } from '../browser/forget-offline-data.ts'
import { authClient } from './auth-client.ts'
import { SessionProvider, type SessionState, useSession } from './session.tsx'

/** The client's key for the tests' URL. */
const storageKey = 'sb-localhost-auth-token'
const store = (over: object = {}) => localStorage.setItem(storageKey, JSON.stringify({ ...sessionFor(), ...over }))
const inSeconds = (seconds: number) => ({ expires_at: Math.floor(Date.now() / 1000) + seconds, expires_in: seconds })

beforeEach(openTab)
afterEach(() => {
  onlineManager.setOnline(true)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Responds to every refresh and counts them. */
function refreshes(): unknown[] {
  const sent: unknown[] = []
  network.use(
    http.post('*/auth/v1/token', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json(sessionFor())
    }),
  )
  return sent
}

describe('the session state', () => {
  const seen: SessionState[] = []
  function Watch() {
    const state = useSession()
    seen.push(state)
    return <p>{state.loading ? 'loading' : (state.user?.email ?? 'nobody')}</p>
  }
  const onUserChange = vi.fn()
  const onRecovery = vi.fn()
  const watch = () =>
    render(
      <QueryClientProvider client={buildQueryClient()}>
        <SessionProvider onUserChange={onUserChange} onRecovery={onRecovery}>
          <Watch />
        </SessionProvider>
      </QueryClientProvider>,
    )
  beforeEach(() => {
    seen.splice(0)
    onUserChange.mockClear()
    onRecovery.mockClear()
  })
  const loading = { user: null, session: null, pending: null, loading: true }

  it('has the stored user and session from the first render [AUTH-22]', async () => {
    store()
    watch()
    expect(seen[0]).toMatchObject({
      loading: false,
      session: { refresh_token: 'refresh' },
      user: { email: 'ada@example.com', role: 'authenticated' },
    })
    await (await authClient()).getSession()
    expect(await screen.findByText('ada@example.com')).toBeVisible()
    expect(onUserChange).not.toHaveBeenCalled() // the client agrees
  })

  it('is signed out when nothing is stored, without loading [AUTH-22]', () => {
    watch()
    expect(seen[0]).toEqual({ ...loading, loading: false })
  })

  it('holds the user, the session, and a loading flag, and neither user nor session after sign-out [AUTH-21]', async () => {
    network.use(http.post('*/auth/v1/logout', () => new HttpResponse(null, { status: 204 })))
    store()
    watch()
    expect(seen[0]).toMatchObject({
      loading: false,
      session: { refresh_token: 'refresh' },
      user: { email: 'ada@example.com' },
    })
    await act(async () => void (await (await authClient()).signOut()))
    expect(await screen.findByText('nobody')).toBeVisible()
    expect(seen.at(-1)).toEqual({ ...loading, loading: false })
  })

  it('marks a session whose second factor is pending [AUTH-19]', () => {
    store(sessionFor({ claims: { second_factor: 'pending' } }))
    watch()
    expect(seen[0]).toMatchObject({ user: null, session: null, pending: { refresh_token: 'refresh' }, loading: false })
  })

  it('is loading during a refresh, and never shows the user as a visitor [AUTH-22, AUTH-25]', async () => {
    refreshes()
    store(inSeconds(-5))
    watch()
    expect(await screen.findByText('ada@example.com')).toBeVisible()
    expect(seen.map((state) => state.loading || state.user?.email)).not.toContain(undefined)
    expect(seen[0]).toEqual(loading)
    expect(seen.at(-1)).toMatchObject({ loading: false })
    expect(onUserChange).not.toHaveBeenCalled()
  })

  it('notices, once, that another tab signed out before the client loaded [AUTH-24]', async () => {
    store()
    watch()
    localStorage.clear()
    await act(async () => void (await (await authClient()).initialize()))
    expect(await screen.findByText('nobody')).toBeVisible()
    await eventually(() => expect(onUserChange).toHaveBeenCalledTimes(1))
  })

  it('keeps a user whose session expired without a connection, and refreshes it when that returns [LOOP-22]', async () => {
    const sent = refreshes()
    store(inSeconds(-5))
    onlineManager.setOnline(false)
    watch()
    expect(seen[0]).toMatchObject({ loading: false, user: { email: 'ada@example.com' } })
    expect(sent).toEqual([])
    act(() => onlineManager.setOnline(true))
    await eventually(() => expect(sent).toHaveLength(1))
    expect(seen.map((state) => state.user?.email)).not.toContain(undefined)
  })

  it('signs out a user whose session the server has ended meanwhile', async () => {
    network.use(
      http.post('*/auth/v1/token', () =>
        HttpResponse.json({ code: 'refresh_token_not_found', msg: 'Invalid Refresh Token' }, { status: 400 }),
      ),
    )
    store(inSeconds(-5))
    onlineManager.setOnline(false)
    watch()
    expect(screen.getByText('ada@example.com')).toBeVisible()
    act(() => onlineManager.setOnline(true))
    expect(await screen.findByText('nobody')).toBeVisible()
  })

  it('deletes what another user kept for reading offline, and everything when nobody is signed in [LOOP-22]', async () => {
    const contents = standInForCaches()
    const { id } = sessionFor().user
    for (const user of [id, 'ben'])
      await (await caches.open(offlineCacheName(user))).put('/kept/feed/', new Response('[]'))
    store()
    watch()
    await eventually(() => expect([...contents.keys()]).toEqual([offlineCacheName(id)]))
    localStorage.clear()
    await act(async () => void (await (await authClient()).initialize()))
    expect(await screen.findByText('nobody')).toBeVisible()
    await eventually(() => expect([...contents.keys()]).toEqual([]))
  })

  it('reports that a recovery link signed the user in [AUTH-20, AUTH-23]', async () => {
    network.use(http.get('*/auth/v1/user', () => HttpResponse.json(sessionFor().user)))
    const { access_token, refresh_token } = sessionFor()
    const fragment = { access_token, refresh_token, token_type: 'bearer', expires_in: '3600', type: 'recovery' }
    window.history.replaceState(null, '', `/#${new URLSearchParams(fragment)}`)
    watch()
    expect(seen[0]).toEqual(loading)
    await eventually(() => expect(onRecovery).toHaveBeenCalledTimes(1))
    expect(screen.getByText('ada@example.com')).toBeVisible()
  })
})

describe('the client', () => {
  it('keeps the session in local storage under sb-…-auth-token [AUTH-27]', async () => {
    refreshes()
    await (await authClient()).signInWithPassword({ email: 'ada@example.com', password: 'correct horse battery' })
    const names = Object.keys(localStorage).filter((name) => name.includes('auth'))
    expect(names).toEqual([storageKey])
    expect(storageKey).toMatch(/^sb-.+-auth-token$/)
    expect(JSON.parse(localStorage.getItem(storageKey) ?? '')).toMatchObject({ refresh_token: 'refresh' })
  })

  it('checks the session again when the tab becomes visible [AUTH-26]', async () => {
    store()
    await (await authClient()).getSession()
    const sent = refreshes()
    store({ refresh_token: 'of another tab', ...inSeconds(-5) })
    window.dispatchEvent(new Event('visibilitychange'))
    await eventually(() => expect(sent).toEqual([{ refresh_token: 'of another tab' }]))
  })

  it('refreshes the token about 90 s before expiry, checking every 30 s [AUTH-25]', async () => {
    vi.useFakeTimers()
    const startedAt = Date.now()
    const renewed: number[] = []
    vi.stubGlobal('fetch', async () => {
      renewed.push(Math.round((Date.now() - startedAt) / 1000))
      return Response.json({ ...sessionFor(), ...inSeconds(305) })
    })
    store(inSeconds(305))
    await authClient()
    await vi.advanceTimersByTimeAsync(205_000)
    expect(renewed).toEqual([]) // 125 s were left at the last check, which is more than three times 30
    await vi.advanceTimersByTimeAsync(215_000)
    expect(renewed).toEqual([210, 420])
  })

  it('loads the key set once in ten minutes [AUTH-29]', async () => {
    const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
    const key = { ...(await crypto.subtle.exportKey('jwk', pair.publicKey)), kid: 'k1', alg: 'ES256' }
    let asked = 0
    network.use(
      http.get('*/auth/v1/.well-known/jwks.json', () => {
        asked += 1
        return HttpResponse.json({ keys: [key] })
      }),
    )
    const url = (text: string) => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
    const words = [
      { alg: 'ES256', typ: 'JWT', kid: 'k1' },
      { sub: 'ada', exp: Math.floor(Date.now() / 1000) + 3600 },
    ]
    const signed = words.map((part) => url(JSON.stringify(part))).join('.')
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
    const signature = await crypto.subtle.sign(algorithm, pair.privateKey, new TextEncoder().encode(signed))
    const token = `${signed}.${url(String.fromCharCode(...new Uint8Array(signature)))}`
    const subject = async () => (await (await authClient()).getClaims(token)).data?.claims.sub

    expect([await subject(), await subject(), asked]).toEqual(['ada', 'ada', 1])
    vi.setSystemTime(Date.now() + 9 * 60_000)
    expect([await subject(), asked]).toEqual(['ada', 1])
    vi.setSystemTime(Date.now() + 2 * 60_000)
    expect([await subject(), asked]).toEqual(['ada', 2])
  })

  it('retries a refresh after 200 ms, 400 ms, … for up to 30 s [AUTH-28]', async () => {
    const auth = await authClient()
    await auth.initialize()
    const tries: number[] = []
    vi.useFakeTimers()
    const startedAt = Date.now()
    vi.stubGlobal('fetch', async () => {
      tries.push(Date.now() - startedAt)
      return new Response('{}', { status: 503 })
    })
    store(inSeconds(-5))
    const session = auth.getSession()
    await vi.advanceTimersByTimeAsync(40_000)
    expect((await session).data.session).toBeNull()
    const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0))
    expect(waits.slice(0, 4)).toEqual([200, 400, 800, 1600])
    expect(waits).toEqual(waits.map((_, index) => 200 * 2 ** index))
    expect(tries.at(-1)).toBeLessThan(30_000)
    expect((tries.at(-1) ?? 0) + 2 * (waits.at(-1) ?? 0)).toBeGreaterThanOrEqual(30_000)
  })

  it.each([
    ['was issued 120 s ago', 3600 - 121, 'Session as retrieved from URL was issued over 120s ago'],
    ['has less than 30 s left', 29, 'Session as retrieved from URL expires in 2'],
  ])('warns about a session in the URL that %s [AUTH-30]', async (_case, left, warning) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    network.use(http.get('*/auth/v1/user', () => HttpResponse.json(sessionFor().user)))
    refreshes() // such a session is refreshed at once
    const { access_token, refresh_token } = sessionFor()
    const fragment = { access_token, refresh_token, token_type: 'bearer', expires_in: '3600' }
    const { expires_at } = inSeconds(left)
    window.history.replaceState(null, '', `/#${new URLSearchParams({ ...fragment, expires_at: String(expires_at) })}`)
    await (await authClient()).initialize()
    expect(warn.mock.calls.map(([text]) => String(text)).join('\n')).toContain(warning)
    expect(window.location.hash).toBe('')
    warn.mockRestore()
  })
})
