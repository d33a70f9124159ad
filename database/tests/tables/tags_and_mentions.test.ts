import { findNames } from '@ovation/contract/text-names'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
  refused,
} from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let fan: Person
let other: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
})
afterAll(() => world.close())
beforeEach(async () => {
  ;[creator, fan, other] = [await world.buildCreator(), await world.buildPerson(), await world.buildPerson()]
})

let used = 0
/** A tag that no other test uses. */
const buildTag = () => {
  used += 1
  return `tag${used}x`
}
const publish = async (content: string, overrides: { type?: string; price?: number } = {}, author = creator) =>
  (await world.buildPost(author, { ...overrides, content })).id
const say = (author: Person, on: string, content: string) =>
  world.as(author, 'insert into public.comments (post_id, user_id, content) values ($1, $2, $3) returning id', [
    on,
    author.profileId,
    content,
  ])
const edit = (id: string, content: string) =>
  world.as(creator, 'update public.posts set content = $2 where id = $1', [id, content])
const found = async (caller: Caller, tag: string) =>
  (await world.as(caller, 'select id from public.get_tagged_posts($1)', [tag])).map(({ id }) => id)
const remarks = async (caller: Caller, tag: string) =>
  (await world.as(caller, 'select content from public.get_tagged_comments($1)', [tag])).map(({ content }) => content)
const suggested = async (search: string) =>
  (await world.as(fan, 'select tag, posts from public.suggest_tags($1)', [search])).map(
    ({ tag, posts }) => `${tag} ${posts}`,
  )
const bell = async (person: Person) =>
  (await world.as(person, 'select title from public.notifications order by created_at')).map(({ title }) => title)
const block = (one: Person, whom: Person) =>
  world.as(one, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [one.profileId, whom.profileId])

describe('the names in a text', () => {
  it.each([
    ['#one two #Two, (#three) #four.#five #one', '#one #two #three #four #five', ''],
    ['#été #ÜBER #日本語 #привет_мир #مرحبا #2026 #7up #_ #a', '#été #über #日本語 #привет_мир #مرحبا #7up #a', ''],
    ['e\u0301t\u00e9 #e\u0301t\u00e9', '#été', ''],
    ['https://example.com/#no www.example.com/#no example.com/a#no (https://example.com)#no a&#39; x#no ##no', '', ''],
    [`#${'a'.repeat(50)} #${'b'.repeat(51)}`, `#${'a'.repeat(50)}`, ''],
    ['@Mara, @tomas. (@lena_k) @a-b- a@example.com @@no @no@host @ab /@no', '', '@mara @tomas @lena_k @a-b'],
    ['#tag@no @no#tag @yes', '#tag', '@yes'],
    ['', '', ''],
    ['line\n#one\ttab #two\u00a0#three', '#one #two #three', ''],
  ])('are the same for the database and the screens: %s [TALK-01]', async (text, tags, people) => {
    const [row] = await world.query(`select private.names_in($1, '#') as tags, private.names_in($1, '@') as people`, [
      text,
    ])
    const joined = (sign: string, names: unknown) => (names as string[]).map((name) => sign + name).join(' ')
    expect([joined('#', row?.tags), joined('@', row?.people)]).toEqual([tags, people])
    const seen = findNames(text.normalize())
    const once = (kind: string, sign: string) =>
      [...new Set(seen.filter((each) => each.kind === kind).map(({ name }) => sign + name))].join(' ')
    expect([once('tag', '#'), once('mention', '@')]).toEqual([tags, people])
    for (const { name, start, end } of seen)
      expect(
        text
          .normalize()
          .slice(start + 1, end)
          .toLowerCase(),
      ).toBe(name)
  })

  it('are 20 tags and 10 users at most, found quickly in any text [TALK-01]', async () => {
    const many = Array.from({ length: 40 }, (_, index) => `#tag${index} @user${index}`).join(' ')
    const [row] = await world.query(
      `select cardinality(private.names_in($1, '#')) as tags, cardinality(private.names_in($1, '@')) as people`,
      [many],
    )
    expect(row).toEqual({ tags: 20, people: 10 })
    for (const hard of [
      '#'.repeat(10_000),
      '#a'.repeat(5_000),
      'a.'.repeat(5_000),
      '@a-'.repeat(3_333),
      `#${'é'.repeat(9_999)}`,
    ]) {
      const before = performance.now()
      await world.query(`select private.names_in($1, '#'), private.names_in($1, '@')`, [hard])
      findNames(hard)
      expect(performance.now() - before).toBeLessThan(1_000)
    }
  })
})

describe("a tag's page", () => {
  it('lists the posts that the viewer may see, newest first, page by page [TALK-01]', async () => {
    const tag = buildTag()
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) ids.unshift(await publish(`Number ${count} #${tag.toUpperCase()}`))
    expect(await found('anon', `#${tag}`)).toEqual(ids)
    const first = await world.as(fan, 'select id, created_at from public.get_tagged_posts($1, 2)', [tag])
    const last = first.at(-1)
    const next = await world.as(fan, 'select id from public.get_tagged_posts($1, 2, $2, $3)', [
      tag,
      last?.created_at,
      last?.id,
    ])
    expect([...first, ...next].map(({ id }) => id)).toEqual(ids.slice(0, 4))
    expect(await found('anon', `${tag}x`)).toEqual([])
  })

  it("doesn't tell what the locked part of a post says [TALK-01, POST-11]", async () => {
    const [inside, shown, cut] = [buildTag(), buildTag(), buildTag()]
    const start = `In sight #${shown} `
    const id = await publish(`${start}${'.'.repeat(97 - start.length)} #${cut} #${inside}`, { type: 'subscription' })
    await world.subscribe(fan, creator)
    for (const tag of [inside, shown, cut])
      for (const caller of [fan, creator] as const) expect(await found(caller, tag)).toEqual([id])
    for (const caller of [other, 'anon'] as const)
      expect([await found(caller, shown), await found(caller, inside), await found(caller, cut)]).toEqual([
        [id],
        [],
        [],
      ])
    expect(
      [await suggested(shown), await suggested(inside), await suggested(cut), await suggested(cut.slice(0, 2))].slice(
        0,
        3,
      ),
    ).toEqual([[`${shown} 1`], [], []])
  })

  it('leaves out private profiles and blocks, and follows edits and deletions [TALK-01]', async () => {
    const [tag, later] = [buildTag(), buildTag()]
    const recluse = await world.buildCreator({ isPrivate: true })
    await publish(`Quiet #${tag}`, {}, recluse)
    const id = await publish(`Loud #${tag}`)
    expect(await found(other, tag)).toEqual([id])
    expect(await suggested(tag)).toEqual([`${tag} 1`])
    await block(creator, fan)
    expect(await found(fan, tag)).toEqual([])
    await edit(id, `Changed #${later}`)
    expect([await found(other, tag), await found(other, later)]).toEqual([[], [id]])
    await edit(id, 'Without')
    expect(await found(other, later)).toEqual([])
    await edit(id, `Back #${tag}`)
    await world.as(creator, 'delete from public.posts where id = $1', [id])
    expect(await found(other, tag)).toEqual([])
  })

  it('lists the comments that the viewer may see [TALK-01]', async () => {
    const tag = buildTag()
    const [open, locked] = [await publish('Open'), await publish('Locked', { type: 'ppv' })]
    await say(fan, open, `So #${tag}`)
    await say(creator, locked, `Inside #${tag}`)
    expect([await remarks('anon', tag), await remarks(creator, tag)]).toEqual([
      [`So #${tag}`],
      [`Inside #${tag}`, `So #${tag}`],
    ])
    await world.as(creator, 'select public.restrict_fan($1)', [fan.profileId])
    expect([await remarks(other, tag), await remarks(fan, tag)]).toEqual([[], [`So #${tag}`]])
  })
})

describe('suggestions', () => {
  it('are the tags that begin so, most used first [TALK-01]', async () => {
    await publish('#sunset #sunrise')
    await publish('#sunset')
    expect(await suggested('#SUN')).toEqual(['sunset 2', 'sunrise 1'])
    expect(await suggested('sunz')).toEqual([])
    await expect(world.as('anon', `select public.suggest_tags('a')`)).rejects.toMatchObject(refused)
  })

  it('are the creator and commenters of a post first, then the followed, then others, without blocks [TALK-01]', async () => {
    const start = `zz${buildTag()}`
    const build = (name: string) => world.buildPerson({ username: `${start}_${name}` })
    const [commenter, followed, stranger, blocked] = [
      await build('c'),
      await build('b'),
      await build('a'),
      await build('d'),
    ]
    const post = await publish('Hello')
    await say(commenter, post, 'Hi')
    await world.as(fan, 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
      fan.profileId,
      followed.profileId,
    ])
    await block(blocked, fan)
    const names = async (search: string, on: string | null = post) =>
      (await world.as(fan, 'select username from public.suggest_people($1, $2)', [search, on])).map(
        ({ username }) => username,
      )
    expect(await names(`@${start.toUpperCase()}`)).toEqual(
      [commenter, followed, stranger].map(({ username }) => username),
    )
    expect(await names('')).toEqual([creator.username, commenter.username, followed.username])
    expect(await names('', null)).toEqual([followed.username])
    const locked = await publish('Locked', { type: 'ppv' })
    expect(await names('', locked)).toEqual([followed.username])
    await expect(world.as('anon', `select public.suggest_people('a')`)).rejects.toMatchObject(refused)
  })
})

describe('mentions', () => {
  it('notify each user once for a text, also after edits [TALK-01]', async () => {
    const id = await publish(`Thanks @${fan.username} and @${fan.username.toUpperCase()} @${creator.username}`)
    expect([await bell(fan), await bell(creator)]).toEqual([[`${creator.username} mentioned you`], []])
    await edit(id, 'Without')
    await edit(id, `Again @${fan.username} and @${other.username}`)
    expect([await bell(fan), await bell(other)]).toEqual([
      [`${creator.username} mentioned you`],
      [`${creator.username} mentioned you`],
    ])
    const [row] = await say(other, id, `Hello @${fan.username}`)
    expect(await bell(fan)).toEqual(['You were mentioned 2 times'])
    await world.as(other, 'delete from public.comments where id = $1', [row?.id])
    expect(await bell(fan)).toEqual([`${creator.username} mentioned you`])
    await world.as(creator, 'delete from public.posts where id = $1', [id])
    expect(await bell(fan)).toEqual([])
  })

  it('reach only who sees the post, without blocks and restrictions [TALK-01]', async () => {
    await publish(`Locked @${fan.username}`, { type: 'subscription' })
    const subscriber = await world.buildPerson()
    await world.subscribe(subscriber, creator)
    await world.query('delete from public.notifications')
    await publish(`Locked @${subscriber.username} @${fan.username}`, { type: 'subscription' })
    expect([await bell(fan), await bell(subscriber)]).toEqual([[], [`${creator.username} mentioned you`]])
    const open = await publish('Open')
    await block(other, fan)
    await say(fan, open, `Hey @${other.username}`)
    await world.as(creator, 'select public.restrict_fan($1)', [subscriber.profileId])
    const third = await world.buildPerson()
    await say(subscriber, open, `Psst @${third.username}`)
    expect([await bell(other), await bell(third)]).toEqual([[], []])
  })

  it('are ten at most for a text, whatever its edits, and not for who is notified otherwise [TALK-01]', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => world.buildPerson()))
    const at = (some: Person[]) => some.map(({ username }) => `@${username}`).join(' ')
    const id = await publish(at(people.slice(0, 6)))
    await edit(id, at(people.slice(2)))
    expect(await world.query('select from private.mentions where text_id = $1', [id])).toHaveLength(10)
    const [comment] = await say(fan, id, `Hello @${creator.username}`)
    await world.as(
      other,
      'insert into public.comments (post_id, user_id, content, parent_id) values ($1, $2, $3, $4)',
      [id, other.profileId, `@${fan.username} yes`, comment?.id],
    )
    expect([await bell(creator), await bell(fan)]).toEqual([
      ['2 new comments on your post'],
      [`${other.username} replied to your comment`],
    ])
  })

  it('agree with what each user may see [TALK-01]', async () => {
    const tiered = await world.buildCreator({ tieredAccess: true })
    const recluse = await world.buildCreator({ isPrivate: true })
    const better = await world.buildProduct(tiered, 1999)
    const [plain, dear, buyer, blocked, admin] = [
      fan,
      other,
      await world.buildPerson(),
      await world.buildPerson(),
      await world.buildAdmin(),
    ]
    await world.subscribe(plain, tiered)
    await world.subscribe(plain, recluse)
    await world.subscribe(dear, tiered, { productId: better })
    await block(tiered, blocked)
    const posts = [
      (await world.buildPost(tiered)).id,
      (await world.buildPost(tiered, { type: 'subscription' })).id,
      (await world.buildPost(tiered, { type: 'subscription', tierId: better })).id,
      (await world.buildPost(tiered, { type: 'ppv' })).id,
      (await world.buildPost(recluse)).id,
      (await world.buildPost(recluse, { type: 'subscription' })).id,
    ]
    await world.query('insert into public.purchases (buyer_id, post_id) values ($1, $2)', [buyer.profileId, posts[3]])
    for (const person of [plain, dear, buyer, blocked, admin, tiered, recluse])
      for (const post of posts) {
        const [sees] = await world.as(
          person,
          'select count(*) > 0 as can from public.posts where id = $1 and not is_locked',
          [post],
        )
        const [says] = await world.query('select private.can_open_post($1, $2) as can', [person.profileId, post])
        expect(says, `${person.username} ${posts.indexOf(post)}`).toEqual(sees)
      }
  })
})
