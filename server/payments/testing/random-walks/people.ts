import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { SignJWT } from 'jose'
import type { CrashableServer } from './crashable-server.ts'
import { retryAfterSeconds } from './retry-after.ts'
import { patienceMs } from './retry-unanswered.ts'

export type Participant = { readonly client: SupabaseClient; readonly userId: string; readonly profileId: string }

type Query = <Row extends Record<string, unknown>>(text: string, values?: unknown[]) => Promise<Row[]>

/** Creates a user with an account and a session, without the seconds that a sign-up's password hash costs. */
export async function buildParticipant(
  query: Query,
  { url, secrets, standing }: Pick<CrashableServer, 'url' | 'secrets' | 'standing'>,
): Promise<Participant> {
  const username = `p${randomBytes(8).toString('hex')}`
  const email = `${username}@example.com`
  const [account] = await query<{ id: string }>(
    'insert into auth.users (email, email_confirmed_at, raw_user_meta_data) values ($1, now(), $2) returning id',
    [email, { username, display_name: username, terms_accepted: true }],
  )
  const [profile] = await query<{ id: string }>('select id from private.profiles where user_id = $1', [account?.id])
  const token = await new SignJWT({ sub: account?.id, email, role: 'authenticated', aud: 'authenticated' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime('12h')
    .sign(new TextEncoder().encode(secrets.jwtSecret))
  // Nobody clicks while the site is down, because nothing would hear it. And users who see that the site is busy click again.
  const patientFetch: typeof fetch = async (...request) => {
    for (const deadline = Date.now() + patienceMs; ; ) {
      await standing()
      const answer = await fetch(...request)
      const pauseSeconds = retryAfterSeconds(answer)
      if (pauseSeconds === undefined || Date.now() > deadline) return answer
      await sleep(pauseSeconds * 1000)
    }
  }
  const client = createClient(url, secrets.anonKey, {
    accessToken: async () => token,
    global: { fetch: patientFetch },
  })
  return { client, userId: account?.id ?? '', profileId: profile?.id ?? '' }
}
