import type { TestDatabase } from './database.ts'

/** Rows for one transaction: a slot of the log, wherever on the server it is created, waits for all transactions. */
const step = 500

/** Many people at once. @returns the first of them, a verified creator. */
export async function signUpCrowd(database: TestDatabase, fans: number) {
  for (let first = 0; first <= fans; first += step)
    await database.query(
      `insert into auth.users (aud, role, email, email_confirmed_at, raw_user_meta_data)
       select 'authenticated', 'authenticated', 'fan' || n || '@example.com', now(), jsonb_build_object('username', 'fan' || n, 'terms_accepted', true)
       from generate_series($1::int, $2::int) n`,
      [first, Math.min(first + step - 1, fans)],
    )
  const [creator] = await database.query<{ id: string; sub: string }>(
    `update private.profiles set is_creator = true, is_verified = true where username = 'fan0' returning id, user_id as sub`,
  )
  if (!creator) throw new Error('Nobody signed up')
  const caller = { role: 'authenticated', claims: { role: 'authenticated', sub: creator.sub } } as const
  return { profileId: creator.id, caller }
}

/** Everyone else follows the creator. */
export async function followCreator(database: TestDatabase, { profileId }: { profileId: string }): Promise<void> {
  for (;;) {
    const followed = await database.query(
      `insert into public.follows (follower_id, following_id)
       select p.id, $1 from private.profiles p
       where p.id <> $1 and not exists (select from public.follows f where f.follower_id = p.id and f.following_id = $1)
       limit $2
       returning id`,
      [profileId, step],
    )
    if (followed.length === 0) return
  }
}
