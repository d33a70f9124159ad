import type { AuthChangeEvent, AuthClient, Session } from '@supabase/auth-js'
import { apiUrl, publicKey } from '../api/api-url.ts'
import { sessionKey, storedSession } from './stored-session.ts'

/*
 * The client of auth/v1 is a tenth of what a first screen would wait for, and most screens only ask it who is signed in, which lies in
 * the browser's storage. So until it is there that is read directly (stored-session.ts), where it needs no work: whatever else there is
 * to do, above all renewing and links that sign in, waits for the client. Once it is there it renews what is stored, and keeps a session
 * itself where nothing can be stored; one that is stored and lasts is still read directly, past the lock behind which the client answers.
 */

type Client = InstanceType<typeof AuthClient>
type Listener = (event: AuthChangeEvent, session: Session | null) => void

let client: Client | undefined
let coming: Promise<Client> | undefined
let arrive: (client: Client) => void
let arrival: Promise<Client>

/** As in a tab that has just been opened. */
export function startAuth(): void {
  client = undefined
  coming = undefined
  arrival = new Promise((resolve) => {
    arrive = resolve
  })
}

/**
 * The client, for all that changes a session or an account. Its code comes when the first screen is at rest (session.tsx), or with the
 * first call. @throws when it did not come; the next call tries again.
 */
export function authClient(): Promise<Client> {
  coming ??= bringClient().catch((error: unknown) => {
    coming = undefined
    throw error
  })
  return coming
}

async function bringClient(): Promise<Client> {
  const { AuthClient } = await import('@supabase/auth-js')
  // Refresh 90 s before expiry, a check on becoming visible, and back-off are the client's own (AUTH-25, AUTH-26, AUTH-28).
  client = new AuthClient({
    url: apiUrl('auth'),
    // Spelled as the client spells it when it puts a person's token there: two spellings would be sent as one broken header.
    headers: { apikey: publicKey(), Authorization: `Bearer ${publicKey()}` },
    storageKey: sessionKey(apiUrl('auth')),
    detectSessionInUrl: true,
    experimental: { recoveryCodes: true },
  })
  arrive(client)
  return client
}

/** The session where it can be told at once, `null` for nobody; `undefined` where {@link currentSession} has to be waited for. */
export function sessionAtOnce(): Session | null | undefined {
  if (carriesSession(window.location)) return undefined
  const stored = storedSession(apiUrl('auth'))
  return client && stored === null ? undefined : stored
}

/** The session, refreshed first when it is about to end. @throws when only the client can tell, and did not come. */
export async function currentSession(): Promise<Session | null> {
  const known = sessionAtOnce()
  if (known !== undefined) return known
  const { data } = await (await authClient()).getSession()
  return data.session
}

let rejected: string | undefined

/**
 * Asks for a new token in place of one that the server rejected before its time, once for each. A session that was ended on another
 * device gets none: the client would keep it until its token expires, so it is told to forget it (`SIGNED_OUT`).
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
      rejected = undefined // the client did not come: the next rejection tries again
    })
}

/**
 * Calls with each change from when the client is there; first with the session as the client finds it. Returns how to end that.
 * Waiting does not bring the client.
 */
export function onAuthStateChange(listener: Listener): () => void {
  let stop: (() => void) | undefined
  let wanted = true
  void arrival.then((arrived) => {
    if (wanted) stop = arrived.onAuthStateChange(listener).data.subscription.unsubscribe
  })
  return () => {
    wanted = false
    stop?.()
  }
}

/**
 * Whether the address is a link that signs in, which the client reads and takes out of it (`detectSessionInUrl`). A `code` in it is none:
 * links come by the implicit flow.
 */
const carriesSession = ({ hash, search }: Location): boolean =>
  [hash, search].some((part) => new URLSearchParams(part.slice(1)).has('access_token'))
