import type pg from 'pg'

export type Person = { readonly userId: string; readonly profileId: string; readonly username: string }
export type People = {
  /** Five fans for each count, who follow that many creators, or as many as there are at this scale. */
  readonly followers: ReadonlyMap<number, readonly Person[]>
  /** The one with the most of everything: subscribers, notifications, messages. */
  readonly star: Person
  /** Whose figures lie in the middle. */
  readonly fan: Person
  /** Whom the fan writes with. */
  readonly partner: Person
  /** With a name that no other name begins with. */
  readonly rare: Person
  readonly admin: Person
}

export const followCounts = [20, 500, 5_000] as const
// What a page costs depends on what happens to be on it: locked posts cost more than open ones. Five even that out.
const fansEach = 5

/** Chooses the people that the cases are about, the same each time, and gives each fan who follows so many their follows. */
export async function choosePeople(client: pg.Client): Promise<People> {
  const find = async (text: string, values: unknown[] = []): Promise<Person> => {
    const { rows } = await client.query<Person>(
      `select p.id as "profileId", p.user_id as "userId", p.username from private.profiles p ${text} limit 1`,
      values,
    )
    const [person] = rows
    if (!person) throw new Error('The database of the benchmark has too few people')
    return person
  }
  const followers = new Map<number, Person[]>()
  for (const [place, count] of followCounts.entries()) {
    const fans: Person[] = []
    for (let turn = 0; turn < fansEach; turn++) {
      const fan = await find('where not p.is_creator order by p.id offset $1', [place * fansEach + turn])
      await follow(client, fan, count)
      fans.push(fan)
    }
    followers.set(count, fans)
  }
  const admin = await find('where not p.is_creator order by p.id desc')
  await client.query(`insert into public.user_roles (user_id, role) values ($1, 'admin') on conflict do nothing`, [
    admin.userId,
  ])
  const star = await find('order by p.subscribers_count desc, p.id')
  const fan = await find(`join (
      select c.profile_id from private.conversations c group by 1
      having count(*) >= 3 and sum(c.unread_count) >= 1 order by count(*), c.profile_id limit 1
    ) talker on talker.profile_id = p.id`)
  const partner = await find('join private.conversations c on c.other_id = p.id and c.profile_id = $1 order by p.id', [
    fan.profileId,
  ])
  const rare = await find('order by length(p.username) desc, p.id')
  return { followers, star, fan, partner, rare, admin }
}

/**
 * Follows `count` creators, or all there are, popular and unknown ones alike, and nobody else. The counters are kept by hand: in one
 * transaction, thousands of updates of one row are slow.
 */
async function follow(client: pg.Client, { profileId }: Person, count: number) {
  const { rows } = await client.query<{ id: string }>(
    'select c.id from private.profiles c where c.is_listed order by md5(c.id::text || $1), c.id limit $2',
    [profileId, count],
  )
  const chosen = rows.map(({ id }) => id)
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  await client.query(
    `with gone as (
       delete from public.follows f where f.follower_id = $1 and f.following_id <> all ($2::uuid[]) returning f.following_id as id
     ), come as (
       insert into public.follows (follower_id, following_id) select $1, unnest($2::uuid[]) on conflict do nothing returning following_id as id
     ), steps as (
       select id, -1 as step from gone union all select id, 1 from come
     )
     update private.profiles p set followers_count = p.followers_count + s.step from steps s where p.id = s.id`,
    [profileId, chosen],
  )
  await client.query('update private.profiles set following_count = $2 where id = $1', [profileId, chosen.length])
  await client.query('commit')
}
