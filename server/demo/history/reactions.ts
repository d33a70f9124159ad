import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { DemoCreator, DemoPoll, DemoPost } from '../content/types.ts'
import { type Random, random } from '../random.ts'
import { dateNotifications } from './date-notifications.ts'
import { shuffled } from './plan.ts'

type Row = Readonly<Record<string, unknown>>

const dayMs = 86_400_000
const hourMs = 3_600_000
/** Posts of the last days are news to those who follow. */
const newsDays = 6

/** What the fans have done for three months: followed, looked, liked, said, and voted. Runs in a transaction. */
export async function reactForMonths(
  client: pg.Client,
  now: number,
  creators: readonly DemoCreator[],
  crowd: readonly string[],
): Promise<void> {
  const world = { now, creators, crowd, chance: random(77), posts: await readPosts(client) }
  // A profile's counters are locked before anything else, as when a post is liked.
  await client.query('select from private.profiles order by id for no key update')
  await insertFollows(client, world)
  await insertLikes(client, world)
  await insertComments(client, world)
  await insertPolls(client, world)
  await insertViews(client, world)
  await spreadNews(client)
  await dateReactions(client)
}

type World = {
  readonly now: number
  readonly creators: readonly DemoCreator[]
  readonly crowd: readonly string[]
  readonly chance: Random
  /** posts.id by content. */
  readonly posts: ReadonlyMap<string, string>
}

async function readPosts(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ id: string; content: string }>('select id, content from private.posts')
  return new Map(rows.map(({ id, content }) => [content, id]))
}

/** Inserts rows that name users by `who`. */
const insert = (client: pg.Client, text: string, rows: readonly Row[]) => client.query(text, [JSON.stringify(rows)])

async function insertFollows(client: pg.Client, { now, creators, crowd, chance }: World): Promise<void> {
  const rows = creators.flatMap(({ username, standing }) =>
    shuffled(crowd, chance)
      .slice(0, Math.round(crowd.length * (0.45 + standing.fans * 0.5)))
      .map((who) => ({
        who,
        creator: username,
        at: new Date(now - chance.between(0.2, standing.months * 30) * dayMs),
      })),
  )
  await insert(
    client,
    `insert into public.follows (follower_id, following_id, created_at)
     select f.id, c.id, r.at
     from jsonb_to_recordset($1) as r (who text, creator text, at timestamptz)
     join private.profiles f on f.username = r.who join private.profiles c on c.username = r.creator
     on conflict on constraint follows_once do nothing`,
    rows,
  )
}

/** A post that everybody sees is liked by many, one for subscribers by some; the newest ones are still being found. */
const reach = ({ audience = 'free', day, appeal = 1 }: DemoPost, { standing }: DemoCreator): number =>
  Math.min((0.3 + standing.fans * 0.5) * appeal * (audience === 'free' ? 1 : 0.45) * Math.min(0.55 + day / 6, 1), 0.97)

async function insertLikes(client: pg.Client, { now, creators, crowd, chance, posts }: World): Promise<void> {
  const rows = creators.flatMap((creator) =>
    creator.posts.flatMap((post) =>
      shuffled(crowd, chance)
        .slice(0, Math.round(crowd.length * reach(post, creator)))
        .map((who) => ({ post: posts.get(post.content), who, at: after(post, now, chance) })),
    ),
  )
  await insert(
    client,
    `insert into public.post_likes (post_id, user_id, created_at)
     select r.post, f.id, r.at from jsonb_to_recordset($1) as r (post uuid, who text, at timestamptz)
     join private.profiles f on f.username = r.who
     where r.post is not null
     on conflict on constraint post_likes_once do nothing`,
    rows,
  )
}

/** Some time after a post, most often soon. */
function after({ day }: DemoPost, now: number, chance: Random): Date {
  const age = day * dayMs
  return new Date(now - age + Math.min(chance.between(0, 1) ** 2.5 * 5 * dayMs, age * 0.95) + 60_000)
}

async function insertComments(client: pg.Client, { now, creators, posts }: World): Promise<void> {
  const rows = creators.flatMap(({ username, posts: published }) =>
    published.flatMap(({ content, day, comments = [] }) => {
      // Spread over a day and a half, or over the time there has been.
      const gap = Math.min(day * dayMs * 0.8, 36 * hourMs) / (comments.length + 1)
      // Creators answer the comment before.
      let answered: string | undefined
      return comments.map(([who, text], index) => {
        const id = randomUUID()
        const parent = who === username ? answered : undefined
        if (who !== username) answered = id
        return {
          id,
          parent,
          post: posts.get(content),
          who,
          text,
          at: new Date(now - day * dayMs + gap * (index + 0.6)),
        }
      })
    }),
  )
  await insert(
    client,
    `insert into public.comments (id, parent_id, post_id, user_id, content, created_at)
     select r.id, r.parent, r.post, f.id, r.text, r.at
     from jsonb_to_recordset($1) as r (id uuid, parent uuid, post uuid, who text, text text, at timestamptz)
     join private.profiles f on f.username = r.who
     where r.post is not null
     order by r.at`,
    rows,
  )
  // About every seventh fan likes a comment, always the same ones.
  await client.query(
    `insert into public.comment_likes (comment_id, user_id, created_at)
     select c.id, f.id, least(c.created_at + make_interval(mins => 5 + abs(hashtext(f.username || c.content)) % 600), now())
     from public.comments c join private.profiles f on f.id <> c.user_id and not f.is_creator
     where not c.is_held and abs(hashtext(c.content || f.username)) % 7 = 0
     order by c.id, f.id`,
  )
}

/** How long a poll runs. */
const pollDays = 30

async function insertPolls(client: pg.Client, { now, creators, crowd, chance, posts }: World): Promise<void> {
  for (const { posts: published } of creators)
    for (const { poll, content, day } of published) {
      const post = posts.get(content)
      if (!poll || post === undefined) continue
      const begun = new Date(now - day * dayMs)
      const { rows } = await client.query<{ id: string }>(
        `insert into public.polls (title, options, post_id, created_at, expires_at)
         values ($1, $2, $3, now(), now() + interval '${pollDays} days') on conflict (post_id) do nothing returning id`,
        [poll.question, JSON.stringify(poll.options.map(([text]) => text)), post],
      )
      const id = rows[0]?.id
      if (id === undefined) continue
      await insertVotes(client, id, poll, begun, now, crowd, chance)
      // Votes are accepted while a poll is open, so it gets its own time, and its end, after them.
      await client.query(
        `update public.polls set created_at = $2::timestamptz, expires_at = $2::timestamptz + interval '${pollDays} days' where id = $1`,
        [id, begun],
      )
    }
}

async function insertVotes(
  client: pg.Client,
  poll: string,
  { options }: DemoPoll,
  begun: Date,
  now: number,
  crowd: readonly string[],
  chance: Random,
): Promise<void> {
  const voters = shuffled(crowd, chance).slice(0, Math.round(crowd.length * 0.75))
  const rows = voters.map((who) => {
    let rest = chance.between(0, 1)
    const option = options.findIndex(([, share]) => {
      rest -= share
      return rest <= 0
    })
    const at = new Date(begun.getTime() + chance.between(0, 1) ** 2 * Math.min(now - begun.getTime(), 6 * dayMs))
    return { who, option: Math.max(option, 0), at }
  })
  await client.query(
    `insert into public.poll_votes (poll_id, user_id, option_index, created_at)
     select $2, f.id, r.option, r.at from jsonb_to_recordset($1) as r (who text, option int, at timestamptz)
     join private.profiles f on f.username = r.who`,
    [JSON.stringify(rows), poll],
  )
}

/** Views of posts in their first days, and of profiles ever since. */
async function insertViews(client: pg.Client, { now, creators, crowd, chance, posts }: World): Promise<void> {
  const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)
  const seen = creators.flatMap((creator) =>
    creator.posts.flatMap((post) =>
      crowd
        .filter(() => chance.between(0, 1) < Math.min(reach(post, creator) * 1.4, 1))
        .map((who) => ({ post: posts.get(post.content), who, on: dateOf(after(post, now, chance).getTime()) })),
    ),
  )
  await insert(
    client,
    `insert into public.post_views (post_id, viewer_id, viewed_on, created_at)
     select r.post, f.id, r."on", r."on" from jsonb_to_recordset($1) as r (post uuid, who text, "on" date)
     join private.profiles f on f.username = r.who where r.post is not null
     on conflict on constraint post_views_once_a_day do nothing`,
    seen,
  )
  const visits = creators.flatMap(({ username, standing }) =>
    Array.from({ length: 90 }, (_, back) =>
      crowd
        .filter(() => chance.between(0, 1) < (0.05 + standing.fans * 0.16) * (1 - back / 160))
        .map((who) => ({ creator: username, who, on: dateOf(now - back * dayMs) })),
    ).flat(),
  )
  await insert(
    client,
    `insert into public.profile_views (profile_id, viewer_id, viewed_on, created_at)
     select c.id, f.id, r."on", r."on" from jsonb_to_recordset($1) as r (creator text, who text, "on" date)
     join private.profiles f on f.username = r.who join private.profiles c on c.username = r.creator
     on conflict on constraint profile_views_once_a_day do nothing`,
    visits,
  )
}

/** Followers hear of the newest posts, as if they had been published just then. */
async function spreadNews(client: pg.Client): Promise<void> {
  await client.query(
    `insert into private.new_posts (post_id, creator_id, is_paid, published_at)
     select p.id, p.creator_id, p.post_type <> 'free', p.created_at from private.posts p
     where p.created_at > now() - interval '${newsDays} days'
     on conflict (post_id) do update set published_at = excluded.published_at`,
  )
  // Those who follow since the first start have done so for a while.
  await client.query(
    `update public.follows f set created_at = now() - interval '70 days'
     where f.created_at > now() - interval '1 hour'`,
  )
}

/** What was written about likes, comments, and follows gets the time of the last of them. Older news has been read. */
async function dateReactions(client: pg.Client): Promise<void> {
  await dateNotifications(
    client,
    `select id, at, at < now() - interval '30 hours' as is_read from (
       select n.id, coalesce(
         case n.data ->> 'group' when 'follow' then (select max(f.created_at) from public.follows f where f.following_id = n.user_id and f.created_at < now() - interval '1 hour')
         else (select max(at) from (
           select max(l.created_at) as at from public.post_likes l where n.data ->> 'group' = 'like:' || l.post_id
           union all
           select max(c.created_at) from public.comments c where n.data ->> 'group' in ('comment:' || c.post_id, 'reply:' || c.post_id)
           union all
           select max(l.created_at) from public.comment_likes l join public.comments c on c.id = l.comment_id
           where n.data ->> 'group' = 'comment_like:' || c.post_id and c.user_id = n.user_id
         ) reactions) end, n.created_at) as at
       from public.notifications n where n.data ? 'group' and n.created_at = now()
     ) last`,
  )
}
