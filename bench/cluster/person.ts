import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { SignJWT } from 'jose'
import { Agent, fetch as fetchFrom } from 'undici'
import type { Cluster } from './cluster.ts'

export type Person = {
  readonly number: number
  readonly client: SupabaseClient
  readonly fetch: typeof fetch
  readonly profileId: string
  /** Whom they write with. */
  partner: Person | undefined
}

/** Long enough for everything but a machine that is gone. */
const answerMs = 10_000
const nextEntryAfterMs = 50

/**
 * Fetches like a browser of someone at this address: from the first entry that accepts a connection. A request that was sent isn't sent
 * again, because it may have had its effect.
 */
export function fetchAs(number: number, entries: readonly string[]): typeof fetch {
  // An address of its own for each, because limits count by address.
  const localAddress = `127.100.${1 + Math.floor(number / 200)}.${1 + (number % 200)}`
  const agent = new Agent({ connect: { localAddress, rejectUnauthorized: false, timeout: 2_000 }, connections: 4 })
  let entry = number % entries.length
  return (async (input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input)
    for (let attempt = 0; ; attempt++) {
      const at = new URL(url.pathname + url.search, entries[entry])
      try {
        const signal = AbortSignal.timeout(answerMs)
        return await fetchFrom(at, { ...(init as object), dispatcher: agent, signal })
      } catch (error) {
        if (!isUnreachable(error) || attempt === entries.length) throw error
        entry = (entry + 1) % entries.length
        await sleep(nextEntryAfterMs)
      }
    }
  }) as typeof fetch
}

function isUnreachable(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: unknown }
  if (['ECONNREFUSED', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'].includes(code ?? '')) return true
  return cause !== undefined && isUnreachable(cause)
}

/** Creates people with accounts and sessions, in one statement each, without the seconds of a password's hash. */
export async function createPeople(cluster: Cluster, count: number): Promise<Person[]> {
  const created = await cluster.query<{ id: string; user_id: string; email: string }>(
    `with accounts as (
       insert into auth.users (email, email_confirmed_at, raw_user_meta_data)
       select 'person' || n || '@example.com', now(),
         jsonb_build_object('username', 'person' || n, 'display_name', 'Person ' || n, 'terms_accepted', true)
       from generate_series(1, $1) n returning id, email)
     select p.id, a.id as user_id, a.email from accounts a join private.profiles p on p.user_id = a.id`,
    [count],
  )
  // The profiles are made by a trigger, so another statement sees them.
  const rows =
    created.length === count
      ? created
      : await cluster.query<{ id: string; user_id: string; email: string }>(
          `select p.id, u.id as user_id, u.email from auth.users u join private.profiles p on p.user_id = u.id
           where u.email like 'person%@example.com'`,
        )
  const people = await Promise.all(
    rows.map(async ({ id, user_id, email }, number): Promise<Person> => {
      const token = await new SignJWT({ sub: user_id, email, role: 'authenticated', aud: 'authenticated' })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuedAt()
        .setExpirationTime('12h')
        .sign(new TextEncoder().encode(cluster.secrets.jwtSecret))
      const { entries, secrets } = cluster
      const fetch = fetchAs(number, entries)
      const client = createClient(entries[number % entries.length] ?? '', secrets.anonKey, {
        accessToken: async () => token,
        global: { fetch },
        realtime: { reconnectAfterMs: () => 1_000 },
      })
      return { number, client, fetch, profileId: id, partner: undefined }
    }),
  )
  people.forEach((person, index) => {
    person.partner = people[index % 2 === 0 ? index + 1 : index - 1] ?? people[0]
  })
  return people
}
