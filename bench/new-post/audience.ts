import type pg from 'pg'

export type Person = { readonly userId: string; readonly profileId: string }
type PushTarget = { readonly endpoint: string; readonly p256dh: string; readonly auth: string }

/** One in so many has a browser that takes pushes. */
const pushShare = 100
/** One in so many wants emails about new posts at once. */
const mailShare = 20
const batch = 10_000

/** Creates a creator and so many followers. @param readers how many of them to return. */
export async function buildAudience(client: pg.Client, followers: number, readers: number, target: PushTarget) {
  for (let from = 0; from <= followers; from += batch)
    await client.query(
      `insert into auth.users (aud, role, email, email_confirmed_at, raw_user_meta_data)
       select 'authenticated', 'authenticated', 'fan' || n || '@example.com', now(),
         jsonb_build_object('username', 'fan' || n, 'terms_accepted', true)
       from generate_series($1::int, $2::int) n`,
      [from, Math.min(from + batch - 1, followers)],
    )
  await client.query(`update private.profiles set is_creator = true, is_verified = true where username = 'fan0'`)
  const [creator] = await find(client, `username = 'fan0'`, 1)
  if (!creator) throw new Error('There is no creator')
  // Without triggers: each follow would ring the creator's bell.
  await client.query('begin')
  await client.query(`set local session_replication_role = 'replica'`)
  await client.query(
    'insert into public.follows (follower_id, following_id) select id, $1 from private.profiles where id <> $1',
    [creator.profileId],
  )
  await client.query('commit')
  const order = `(select id, row_number() over (order by id) as n from private.profiles where id <> $1)`
  const pushed = await client.query(
    `insert into private.push_subscriptions (user_id, endpoint, p256dh, auth)
     select f.id, $2 || '/' || f.n, $3, $4 from ${order} f where f.n % ${pushShare} = 0`,
    [creator.profileId, target.endpoint, target.p256dh, target.auth],
  )
  const mailed = await client.query(
    `update private.user_settings s set post_emails = 'immediately'
     from ${order} f where f.id = s.user_id and f.n % ${mailShare} = 0`,
    [creator.profileId],
  )
  await client.query('vacuum (analyze)')
  const sample = await find(client, `username <> 'fan0'`, readers)
  return { creator, sample, browsers: pushed.rowCount ?? 0, readersOfMail: mailed.rowCount ?? 0 }
}

async function find(client: pg.Client, condition: string, limit: number): Promise<Person[]> {
  const { rows } = await client.query<Person>(
    `select user_id as "userId", id as "profileId" from private.profiles where ${condition} order by id limit $1`,
    [limit],
  )
  return rows
}
