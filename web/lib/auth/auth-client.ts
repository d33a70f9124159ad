import type { AuthChangeEvent, AuthClient, Session } from '@supabase/auth-js'
import { onlineManager } from '@tanstack/react-query'
import { apiUrl, publicKey } from '../api/api-url.ts'
import { readSession, sessionKey, storedSession } from './stored-session.ts'

/*
 * The client of auth/v1 would be a tenth of the first screen's code, and most screens only need the session, which is in the browser's
 * storage. Until the client has loaded, stored-session.ts reads a valid session directly. Everything else, above all refreshing and
 * sign-in links, waits for the client. Once loaded, it refreshes the stored session, and holds the session itself where storage is
 * blocked. A valid stored session is still read directly, which avoids the client's lock.
 */

type Client = InstanceType<typeof AuthClient>
type Listener = (event: AuthChangeEvent, session: Session | null) => void

let client: Client | undefined
let coming: Promise<Client> | undefined
let arrive: (client: Client) => void
let arrival: Promise<Client>

/** As in a new tab. */
export function startAuth(): void {
  client = undefined
  coming = undefined
  arrival = new Promise((resolve) => {
    arrive = resolve
  })
}

/**
 * The client, for everything that changes a session or an account. Its code loads when the first screen is idle (session.tsx), or with the
 * first call. @throws when it failed to load; the next call tries again.
 */
export function authClient(): Promise<Client> {
  coming ??= loadClient().catch((error: unknown) => {
    coming = undefined
    throw error
  })
  return coming
}

async function loadClient(): Promise<Client> {
  const { AuthClient } = await import('@supabase/auth-js')
  // The client itself refreshes 90 s before expiry, checks on becoming visible, and backs off (AUTH-25, AUTH-26, AUTH-28).
  client = new AuthClient({
    url: apiUrl('auth'),
    // In the same case as the client's own header: two spellings would be sent as one broken header.
    headers: { apikey: publicKey(), Authorization: `Bearer ${publicKey()}` },
    storageKey: sessionKey(apiUrl('auth')),
    detectSessionInUrl: true,
    experimental: { recoveryCodes: true },
  })
  arrive(client)
  return client
}

/** The session if it is known synchronously, `null` when signed out; `undefined` if {@link currentSession} has to be awaited. */
export function sessionAtOnce(): Session | null | undefined {
  if (import.meta.env.SSR) return null // the server renders pages for visitors only
  if (carriesSession(window.location)) return undefined
  const stored = storedSession(apiUrl('auth'))
  // Offline, nothing can be refreshed, and the user stays signed in.
  if (stored === undefined && !onlineManager.isOnline()) return readSession(apiUrl('auth'))
  return client && stored === null ? undefined : stored
}

/** The session that this browser stores, even if it has expired. The client deletes it when the server refuses to refresh it. */
export const sessionInStorage = (): Session | null => readSession(apiUrl('auth')) ?? null

/** The session, refreshed first when it is about to expire. @throws when it can't be refreshed, because the server can't be reached. */
export async function currentSession(): Promise<Session | null> {
  const known = sessionAtOnce()
  if (known !== undefined) return known
  const { data, error } = await (await authClient()).getSession()
  if (error && sessionInStorage()) throw error
  return data.session
}

let rejected: string | undefined

/**
 * Refreshes a token that the server rejected before its expiry, once per token. If the session was ended on another device, the refresh
 * fails too. The client would keep the session until its token expires, so this signs it out (`SIGNED_OUT`).
 */
export function renewRejected(token: string): void {
  if (token === rejected) return
  rejected = token
  authClient()
    .then(async (arrived) => {
      const { error } = await arrived.refreshSession()
      if (error?.status === 400) await arrived.signOut({ scope: 'local' })
    })
    .catch(() => {
      rejected = undefined // the client failed to load: the next rejection tries again
    })
}

/**
 * Subscribes to auth events once the client has loaded, first with its initial session. Returns the unsubscribe function.
 * Subscribing doesn't load the client.
 */
export function onAuthStateChange(listener: Listener): () => void {
  let stop: (() => void) | undefined
  let wanted = true
  void arrival.then((arrived) => {
    if (!wanted) return
    const { data } = arrived.onAuthStateChange((event, session) =>
      // It starts without a session that it couldn't refresh yet. The user stays signed in.
      listener(event, session ?? (event === 'INITIAL_SESSION' ? sessionInStorage() : null)),
    )
    stop = data.subscription.unsubscribe
  })
  return () => {
    wanted = false
    stop?.()
  }
}

/**
 * Whether the URL is a sign-in link, which the client reads and removes (`detectSessionInUrl`). A `code` in it is not one:
 * our links use the implicit flow.
 */
const carriesSession = ({ hash, search }: Location): boolean =>
  [hash, search].some((part) => new URLSearchParams(part.slice(1)).has('access_token'))
