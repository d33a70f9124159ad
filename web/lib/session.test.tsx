import { act, render, screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { testConfig } from '../testing/config.ts'
import { network } from '../testing/network.ts'
import { sessionFor } from '../testing/sign-in.ts'
import { SessionProvider, type SessionState, useSession } from './session.tsx'
import { connect, supabase } from './supabase.ts'

/** As `connect` names it, on the address of the tests. */
const storageKey = 'sb-localhost-auth-token'
const store = (over: object = {}) => localStorage.setItem(storageKey, JSON.stringify({ ...sessionFor(), ...over }))
const inSeconds = (seconds: number) => ({ expires_at: Math.floor(Date.now() / 1000) + seconds, expires_in: seconds })

/** A tab that has just been opened: the client reads what is stored. The one before has been closed. */
async function openTab() {
  await supabase.auth.dispose()
  connect(testConfig)
}
beforeEach(openTab)
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Answers every refresh and counts them. */
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
  const watch = () =>
    render(
      <SessionProvider onUserChange={() => undefined}>
        <Watch />
      </SessionProvider>,
    )
  beforeEach(() => void seen.splice(0))

  it('is loading until the stored session has been read, and then holds the person and the session [AUTH-21, AUTH-22]', async () => {
    store()
    watch()
    expect(seen[0]).toEqual({ user: null, session: null, pending: null, loading: true })
    expect(await screen.findByText('ada@example.com')).toBeVisible()
    expect(seen.at(-1)).toMatchObject({
      loading: false,
      session: { refresh_token: 'refresh' },
      user: { role: 'authenticated' },
    })
  })

  it('is nobody where nothing is stored, and no more loading [AUTH-21, AUTH-22]', async () => {
    watch()
    expect(await screen.findByText('nobody')).toBeVisible()
    expect(seen.at(-1)).toEqual({ user: null, session: null, pending: null, loading: false })
  })
})

describe('the client', () => {
  it('keeps the session in local storage under sb-…-auth-token [AUTH-27]', async () => {
    refreshes()
    await supabase.auth.signInWithPassword({ email: 'ada@example.com', password: 'correct horse battery' })
    const names = Object.keys(localStorage).filter((name) => name.includes('auth'))
    expect(names).toEqual([storageKey])
    expect(storageKey).toMatch(/^sb-.+-auth-token$/)
    expect(JSON.parse(localStorage.getItem(storageKey) ?? '')).toMatchObject({ refresh_token: 'refresh' })
  })

  it('checks the session again when its tab comes into sight [AUTH-26]', async () => {
    store()
    await supabase.auth.getSession()
    const sent = refreshes()
    store({ refresh_token: 'of another tab', ...inSeconds(-5) })
    window.dispatchEvent(new Event('visibilitychange'))
    await vi.waitFor(() => expect(sent).toEqual([{ refresh_token: 'of another tab' }]))
  })

  it('renews the token by itself about 90 s before it ends, looking each 30 s [AUTH-25]', async () => {
    vi.useFakeTimers()
    const startedAt = Date.now()
    const renewed: number[] = []
    vi.stubGlobal('fetch', async () => {
      renewed.push(Math.round((Date.now() - startedAt) / 1000))
      return Response.json({ ...sessionFor(), ...inSeconds(305) })
    })
    store(inSeconds(305))
    await openTab()
    await vi.advanceTimersByTimeAsync(205_000)
    expect(renewed).toEqual([]) // 125 s were left when it looked last, which is more than three times 30
    await vi.advanceTimersByTimeAsync(215_000)
    expect(renewed).toEqual([210, 420])
  })

  it('asks for the key set once in ten minutes [AUTH-29]', async () => {
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
    const subject = async () => (await supabase.auth.getClaims(token)).data?.claims.sub

    expect([await subject(), await subject(), asked]).toEqual(['ada', 'ada', 1])
    vi.setSystemTime(Date.now() + 9 * 60_000)
    expect([await subject(), asked]).toEqual(['ada', 1])
    vi.setSystemTime(Date.now() + 2 * 60_000)
    expect([await subject(), asked]).toEqual(['ada', 2])
  })

  it('tries to refresh again after 200 ms, 400 ms, … until 30 s are spent [AUTH-28]', async () => {
    await supabase.auth.initialize()
    const tries: number[] = []
    vi.useFakeTimers()
    const startedAt = Date.now()
    vi.stubGlobal('fetch', async () => {
      tries.push(Date.now() - startedAt)
      return new Response('{}', { status: 503 })
    })
    store(inSeconds(-5))
    const session = supabase.auth.getSession()
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
  ])('warns of a session in the address that %s [AUTH-30]', async (_case, left, warning) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    network.use(http.get('*/auth/v1/user', () => HttpResponse.json(sessionFor().user)))
    refreshes() // such a session is renewed at once
    const { access_token, refresh_token } = sessionFor()
    const fragment = { access_token, refresh_token, token_type: 'bearer', expires_in: '3600' }
    const { expires_at } = inSeconds(left)
    window.history.replaceState(null, '', `/#${new URLSearchParams({ ...fragment, expires_at: String(expires_at) })}`)
    await openTab()
    await act(() => supabase.auth.initialize())
    expect(warn.mock.calls.map(([text]) => String(text)).join('\n')).toContain(warning)
    expect(window.location.hash).toBe('')
    warn.mockRestore()
  })
})
