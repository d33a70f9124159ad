import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
beforeAll(async () => {
  world = await openDatabaseFixture()
})
afterAll(() => world.close())
beforeEach(async () => {
  creator = await world.buildCreator()
  fan = await world.buildPerson()
})
afterEach(async () => expect(await world.query('select * from private.verify_vault()')).toEqual([]))

/** A file in the vault, as storage/v1 writes it and FFmpeg measures it. @returns its id. */
async function keep(owner: Person, metadata: Record<string, unknown> = {}): Promise<string> {
  const [row] = await world.query(
    `insert into storage.objects (bucket_id, name, owner, owner_id, metadata, version) values ('vault', $1, $2::uuid, $2::uuid::text, $3, $4) returning id`,
    [
      `${owner.userId}/${randomUUID()}.jpg`,
      owner.userId,
      { mimetype: 'image/jpeg', size: 100, ...metadata },
      randomUUID(),
    ],
  )
  return String(row?.id)
}
const video = (seconds?: number) => ({ mimetype: 'video/mp4', ...(seconds && { duration: seconds }) })

type Details = { audience?: string; caption?: string | null; alt?: string; list?: string; id?: string; file?: string }
type Story = {
  id: string
  path: string
  creator_id: string
  caption: string | null
  alt_text: string | null
  ends_at: Date
}
async function post(owner: Person, { audience = 'everyone', caption = 'Hello', alt, list, id, file }: Details = {}) {
  const [story] = await world.as(owner, 'select * from public.create_story($1, $2, $3, $4, $5, $6)', [
    file ?? (await keep(owner)),
    audience,
    caption,
    alt ?? null,
    list ?? null,
    id ?? randomUUID(),
  ])
  return story as Story
}
const end = (story: Story, ago = '1 second') =>
  world.query('update public.stories set ends_at = now() - $2::interval where id = $1', [story.id, ago])
const sees = async (caller: Caller, { id, path }: Story) => {
  const [row] = await world.as(caller, 'select count(*)::int as n from public.stories where id = $1', [id])
  const [file] = await world.as(
    caller,
    `select count(*)::int as n from storage.objects where bucket_id = 'stories' and name = $1`,
    [path],
  )
  // The row and the file go together.
  expect(file?.n).toBe(row?.n)
  return row?.n === 1
}
const follow = (who: Person, whom: Person) =>
  world.as(who, 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
    who.profileId,
    whom.profileId,
  ])
async function makeList(owner: Person, rule: object | null = null): Promise<string> {
  const [row] = await world.as(owner, 'insert into public.fan_lists (name, rule) values ($1, $2) returning id', [
    randomUUID().slice(0, 8),
    rule && JSON.stringify(rule),
  ])
  return String(row?.id)
}
const addTo = (owner: Person, list: string, who: Person) =>
  world.as(owner, 'select public.add_to_fan_list($1, $2)', [list, [who.profileId]])
const storiesOf = async (caller: Caller) =>
  (await world.as(caller, 'select * from public.get_stories($1)', [creator.profileId])) as (Story & {
    is_seen: boolean
    viewers: number | null
    list_name: string | null
    captions: string[]
  })[]
const view = (who: Caller, { id }: Story) => world.as(who, 'select public.record_story_view($1)', [id])
const viewersOf = (owner: Caller, { id }: Story, page = '') =>
  world.as(owner, `select username from public.get_story_viewers($1${page})`, [id])
const highlight = async (
  owner: Person,
  stories: Story[],
  { name = 'Best', cover, id }: { name?: string; cover?: Story; id?: string } = {},
) => {
  const [row] = await world.as(owner, 'select public.save_story_highlight($1, $2, $3, $4) as id', [
    name,
    stories.map((story) => story.id),
    cover?.id ?? null,
    id ?? null,
  ])
  return String(row?.id)
}

describe('a story', () => {
  it('is a use of a file of the vault, for 24 hours [STORY-01]', async () => {
    const file = await keep(creator)
    const story = await post(creator, { file, caption: '  Good morning ' })
    expect(story).toMatchObject({ creator_id: creator.profileId, caption: 'Good morning' })
    expect(story.ends_at.getTime() - Date.now()).toBeCloseTo(24 * 3600_000, -5)
    const [same] = await world.query(
      `select o.version = f.version as same, f.story_uses, f.uses from public.vault_files f
       join storage.objects o on o.bucket_id = 'stories' and o.name = $2 where f.id = $1`,
      [file, story.path],
    )
    expect(same).toEqual({ same: true, story_uses: 1, uses: 4 })
    const filtered = async (usage: string) =>
      (await world.as(creator, 'select id from public.get_vault_files(usage => $1)', [usage])).map(({ id }) => id)
    expect(await filtered('stories')).toEqual([file])
    expect(await filtered('unused')).toEqual([])
    expect(await world.as(creator, 'select story_id, title from public.get_vault_uses($1)', [file])).toEqual([
      { story_id: story.id, title: 'Good morning' },
    ])
    // Its end takes nothing from the vault.
    await world.as(creator, 'delete from public.stories where id = $1', [story.id])
    expect(await filtered('unused')).toEqual([file])
    expect(
      await world.query('select count(*)::int as n from private.storage_removals where name = $1', [story.path]),
    ).toEqual([{ n: 1 }])
  })

  it('is posted once, if the same request comes again [STORY-01]', async () => {
    const [id, file] = [randomUUID(), await keep(creator)]
    const first = await post(creator, { id, file })
    expect(await post(creator, { id, file })).toEqual(first)
    expect(await storiesOf(creator)).toHaveLength(1)
    // An id of another creator's story.
    const rival = await world.buildCreator()
    await expect(post(rival, { id })).rejects.toMatchObject({ code: '23505' })
  })

  it('has the alt text of its file, unless it gets its own [STORY-01]', async () => {
    const file = await keep(creator)
    await world.as(creator, 'update public.vault_files set alt_text = $2 where id = $1', [file, 'A lake'])
    expect(await post(creator, { file })).toMatchObject({ alt_text: 'A lake' })
    expect(await post(creator, { file, alt: 'A lake at dawn' })).toMatchObject({ alt_text: 'A lake at dawn' })
  })

  it.each([
    ['a video of 61 seconds', video(61), 'PT422', "A story's video can be up to 60 seconds"],
    [
      'a video that is not measured yet',
      video(),
      'PT409',
      'This video is still being prepared. Try again in a moment.',
    ],
    ['a voice message', { mimetype: 'audio/mp4' }, 'PT422', 'A story is a photo or a video'],
  ])('is not %s [STORY-01]', async (_, metadata, code, message) => {
    await expect(post(creator, { file: await keep(creator, metadata) })).rejects.toMatchObject({ code, message })
  })

  it('may be a video of 60 seconds, but not one that failed [STORY-01]', async () => {
    expect(await post(creator, { file: await keep(creator, video(60.4)) })).toMatchObject({ media_type: 'video' })
    const broken = await keep(creator, video())
    await world.query(`update private.videos set state = 'failed' where object_id = $1`, [broken])
    await expect(post(creator, { file: broken })).rejects.toMatchObject({
      code: 'PT422',
      message: "This video can't be played",
    })
  })

  it('is rejected with a file, a list, or words that do not fit [STORY-01]', async () => {
    const rival = await world.buildCreator()
    await expect(post(creator, { file: await keep(rival) })).rejects.toMatchObject({ code: 'PT404' })
    await expect(post(creator, { audience: 'list', list: await makeList(rival) })).rejects.toMatchObject({
      code: 'PT404',
    })
    await expect(post(creator, { audience: 'list' })).rejects.toMatchObject({ code: '22023' })
    await expect(post(creator, { audience: 'friends' })).rejects.toMatchObject({ code: '22023' })
    await expect(post(creator, { caption: 'x'.repeat(201) })).rejects.toMatchObject({ code: 'PT422' })
    await expect(post(creator, { alt: 'x'.repeat(1001) })).rejects.toMatchObject({ code: 'PT422' })
    await expect(post(fan, { file: await keep(creator) })).rejects.toMatchObject(refused)
  })

  it('is one of at most fifty at a time [STORY-01]', async () => {
    const file = await keep(creator)
    await world.query(
      `insert into public.stories (creator_id, path, media_type, audience) select $1, $2 || '/' || n, 'image', 'everyone' from generate_series(1, 50) n`,
      [creator.profileId, creator.userId],
    )
    await expect(post(creator, { file })).rejects.toMatchObject({ code: 'PT422' })
    await world.query(`update public.stories set ends_at = now() where path = $1 || '/7'`, [creator.userId])
    await post(creator, { file })
  })

  it('has captions for its video, which others see with it [STORY-01]', async () => {
    const story = await post(creator, { file: await keep(creator, video(12)) })
    const words = 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello'
    await world.as(creator, 'select public.set_video_captions($1, $2, $3)', [story.path, 'en', words])
    expect(await storiesOf(fan)).toMatchObject([{ captions: ['en'] }])
    await expect(
      world.as(fan, 'select public.set_video_captions($1, $2, $3)', [story.path, 'en', words]),
    ).rejects.toMatchObject({ code: 'PT404' })
  })
})

describe('who sees a story', () => {
  it('depends on its audience, for the row and the file alike [STORY-01] [STORY-03]', async () => {
    const [follower, subscriber, listed] = [
      await world.buildPerson(),
      await world.buildPerson(),
      await world.buildPerson(),
    ]
    await follow(follower, creator)
    await world.subscribe(subscriber, creator)
    const list = await makeList(creator)
    await addTo(creator, list, listed)
    const all = {
      everyone: await post(creator, { audience: 'everyone' }),
      followers: await post(creator, { audience: 'followers' }),
      subscribers: await post(creator, { audience: 'subscribers' }),
      list: await post(creator, { audience: 'list', list }),
    }
    const seenBy = async (caller: Caller) => {
      const seen: string[] = []
      for (const [audience, story] of Object.entries(all)) if (await sees(caller, story)) seen.push(audience)
      return seen
    }
    expect(await seenBy('anon')).toEqual(['everyone'])
    expect(await seenBy(fan)).toEqual(['everyone'])
    expect(await seenBy(follower)).toEqual(['everyone', 'followers'])
    expect(await seenBy(subscriber)).toEqual(['everyone', 'followers', 'subscribers'])
    expect(await seenBy(listed)).toEqual(['everyone', 'list'])
    expect(await seenBy(creator)).toEqual(Object.keys(all))
    expect(await seenBy(await world.buildAdmin())).toEqual(Object.keys(all))
    // A subscriber who follows no more is still one of the followers.
    await world.as(subscriber, 'delete from public.follows where follower_id = $1', [subscriber.profileId])
    expect(await seenBy(subscriber)).toEqual(['everyone', 'followers', 'subscribers'])
    // Taken off the list, and back again after the list is gone: nobody sees its stories.
    await world.as(creator, 'select public.remove_from_fan_list($1, $2)', [list, [listed.profileId]])
    expect(await seenBy(listed)).toEqual(['everyone'])
    await addTo(creator, list, listed)
    await world.as(creator, 'select public.delete_fan_list($1)', [list])
    expect(await seenBy(listed)).toEqual(['everyone'])
    expect(await seenBy(creator)).toEqual(Object.keys(all))
  })

  it('follows a smart list at each moment [STORY-03]', async () => {
    const list = await makeList(creator, { all: [{ condition: 'spent', is: 'at_least', cents: 500 }] })
    const story = await post(creator, { audience: 'list', list })
    expect(await sees(fan, story)).toBe(false)
    await follow(fan, creator)
    await world.query('update private.fans set spent = 500 where creator_id = $1 and fan_id = $2', [
      creator.profileId,
      fan.profileId,
    ])
    expect(await sees(fan, story)).toBe(true)
    expect((await storiesOf(fan))[0]).toMatchObject({ audience: 'list', list_name: null })
    expect((await storiesOf(creator))[0]).toMatchObject({ list_name: expect.any(String) })
  })

  it('ends after 24 hours, by the clock alone [STORY-01] [STORY-03]', async () => {
    const story = await post(creator)
    await end(story)
    for (const caller of ['anon', fan] as const) expect(await sees(caller, story)).toBe(false)
    expect(await sees(creator, story)).toBe(true)
    expect(await storiesOf(creator)).toEqual([])
    expect(await world.as(creator, 'select id from public.get_story_archive()')).toEqual([{ id: story.id }])
    expect(await world.as(fan, 'select id from public.get_story_archive()')).toEqual([])
  })

  it('is nobody across a block, of a suspended creator, and of a private profile only subscribers [STORY-03]', async () => {
    const story = await post(creator)
    const subscriber = await world.buildPerson()
    await world.subscribe(subscriber, creator)
    await world.as(creator, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      creator.profileId,
      fan.profileId,
    ])
    expect(await sees(fan, story)).toBe(false)
    await world.query('delete from public.blocks where blocked_id = $1', [fan.profileId])
    await world.query('update private.profiles set is_private = true where id = $1', [creator.profileId])
    expect([await sees('anon', story), await sees(fan, story), await sees(subscriber, story)]).toEqual([
      false,
      false,
      true,
    ])
    await world.query('update private.profiles set is_private = false where id = $1', [creator.profileId])
    const admin = await world.buildAdmin()
    await world.as(admin, `select public.suspend_user($1, 'Spam')`, [creator.profileId])
    expect([await sees('anon', story), await sees(subscriber, story), await sees(admin, story)]).toEqual([
      false,
      false,
      true,
    ])
  })
})

describe('rings', () => {
  it('are of followed creators, with unseen and newest stories first [STORY-01]', async () => {
    const [early, late, locked] = [await world.buildCreator(), await world.buildCreator(), await world.buildCreator()]
    for (const each of [early, late, locked]) await follow(fan, each)
    const first = await post(early)
    await world.query(
      `update public.stories set created_at = now() - interval '2 hours', ends_at = now() + interval '22 hours' where id = $1`,
      [first.id],
    )
    const newest = await post(late)
    await post(locked, { audience: 'subscribers' })
    await post(creator) // not followed
    const rings = async () =>
      (await world.as(fan, 'select username, stories, unseen from public.get_story_rings()')) as { username: string }[]
    expect(await rings()).toEqual([
      { username: late.username, stories: 1, unseen: 1 },
      { username: early.username, stories: 1, unseen: 1 },
    ])
    await view(fan, newest)
    expect(await rings()).toEqual([
      { username: early.username, stories: 1, unseen: 1 },
      { username: late.username, stories: 1, unseen: 0 },
    ])
    // Subscribers need not follow.
    await world.subscribe(fan, locked)
    await world.as(fan, 'delete from public.follows where follower_id = $1 and following_id = $2', [
      fan.profileId,
      locked.profileId,
    ])
    expect((await rings()).map(({ username }) => username)).toContain(locked.username)
    // A creator's own are first, and never new.
    expect(await world.as(late, 'select username, unseen from public.get_story_rings()')).toEqual([
      { username: late.username, unseen: 0 },
    ])
  })

  it('read the stories of followed creators by index, and no others [STORY-01]', async () => {
    await world.query(
      `insert into public.stories (creator_id, path, media_type, audience) select $1, 'many/' || n, 'image', 'everyone' from generate_series(1, 3000) n`,
      [(await world.buildCreator()).profileId],
    )
    await world.query('analyze public.stories')
    await follow(fan, creator)
    await post(creator)
    const claims = JSON.stringify({ role: 'authenticated', sub: fan.userId })
    const plans = await world.plansOf('select * from public.get_story_rings()', { 'request.jwt.claims': claims })
    expect(plans.join('\n')).toMatch(/Index.*stories_creator_id_idx/)
    expect(plans.join('\n')).not.toMatch(/Seq Scan on stories/)
    await world.query(`delete from public.stories where path like 'many/%'`)
  })
})

describe('viewers', () => {
  it('are counted once each, for the creator alone [STORY-02]', async () => {
    const story = await post(creator)
    const other = await world.buildPerson()
    await view(fan, story)
    await view(fan, story)
    await world.query(`update public.story_views set viewed_at = now() - interval '1 minute'`)
    await view(other, story)
    await view(creator, story)
    expect(await viewersOf(creator, story)).toEqual([{ username: other.username }, { username: fan.username }])
    const [last] = await world.as(creator, 'select * from public.get_story_viewers($1, page_size => 1)', [story.id])
    expect(
      await world.as(creator, 'select username from public.get_story_viewers($1, $2, $3)', [
        story.id,
        last?.viewed_at,
        last?.profile_id,
      ]),
    ).toEqual([{ username: fan.username }])
    expect(await storiesOf(creator)).toMatchObject([{ viewers: 2, is_seen: true }])
    expect(await storiesOf(fan)).toMatchObject([{ viewers: null, is_seen: true }])
    expect(await storiesOf('anon')).toMatchObject([{ viewers: null, is_seen: false }])
    expect(await viewersOf(fan, story)).toEqual([])
    expect(await world.as(creator, 'select * from public.story_views')).toEqual([])
  })

  it('are only those whom a story was shown to, before its end [STORY-02]', async () => {
    const [locked, ended] = [await post(creator, { audience: 'subscribers' }), await post(creator)]
    await end(ended)
    await highlight(creator, [ended])
    const admin = await world.buildAdmin()
    for (const each of [fan, admin]) {
      await view(each, locked)
      await view(each, ended)
    }
    expect([...(await viewersOf(creator, locked)), ...(await viewersOf(creator, ended))]).toEqual([])
    await expect(view('anon', ended)).rejects.toMatchObject(refused)
  })
})

describe('highlights', () => {
  const shown = (caller: Caller) =>
    world.as(caller, 'select name, stories, cover_path from public.get_story_highlights($1)', [creator.profileId])

  it('keep stories on the profile, for the audience of each [STORY-02]', async () => {
    const [open, locked] = [
      await post(creator, { caption: 'Open' }),
      await post(creator, { audience: 'subscribers', caption: 'Locked' }),
    ]
    const id = await highlight(creator, [locked, open], { cover: locked })
    for (const story of [open, locked]) await end(story)
    expect(await sees(fan, open)).toBe(true)
    expect(await sees(fan, locked)).toBe(false)
    const subscriber = await world.buildPerson()
    await world.subscribe(subscriber, creator)
    expect(await shown(subscriber)).toEqual([{ name: 'Best', stories: 2, cover_path: locked.path }])
    // Not a byte of the others, not even in the cover.
    expect(await shown('anon')).toEqual([{ name: 'Best', stories: 1, cover_path: open.path }])
    const captions = async (caller: Caller) =>
      world.as(caller, 'select caption from public.get_highlight_stories($1)', [id])
    expect(await captions(subscriber)).toEqual([{ caption: 'Locked' }, { caption: 'Open' }])
    expect(await captions(fan)).toEqual([{ caption: 'Open' }])
  })

  it('are hidden where the viewer may see none of their stories [STORY-03]', async () => {
    await highlight(creator, [await post(creator, { audience: 'subscribers' })], { name: 'Secret trip' })
    expect(await shown(fan)).toEqual([])
    expect(await world.as(fan, 'select * from public.story_highlights')).toEqual([])
  })

  it('end for a story that is taken out after its end, and so do all links to it [STORY-02] [STORY-03]', async () => {
    const [kept, dropped] = [await post(creator), await post(creator)]
    const id = await highlight(creator, [kept, dropped])
    for (const story of [kept, dropped]) await end(story)
    await highlight(creator, [kept], { id })
    const [now] = await world.query('select path from public.stories where id = $1', [dropped.id])
    expect(now?.path).not.toBe(dropped.path)
    expect(
      await world.query(`select name from storage.objects where bucket_id = 'stories' and name in ($1, $2)`, [
        dropped.path,
        now?.path,
      ]),
    ).toEqual([{ name: now?.path }])
    expect(await sees(fan, { ...dropped, path: String(now?.path) })).toBe(false)
    expect(await sees(fan, kept)).toBe(true)
    await world.as(creator, 'delete from public.story_highlights where id = $1', [id])
    expect(await world.query('select count(*)::int as n from public.stories where path = $1', [kept.path])).toEqual([
      { n: 0 },
    ])
  })

  it('lose deleted stories, and end with the last one [STORY-02]', async () => {
    const [one, other] = [await post(creator), await post(creator)]
    const id = await highlight(creator, [one, other], { cover: one })
    await world.as(creator, 'delete from public.stories where id = $1', [one.id])
    expect(await world.query('select story_ids, cover_id from public.story_highlights where id = $1', [id])).toEqual([
      { story_ids: [other.id], cover_id: null },
    ])
    await world.as(creator, 'delete from public.stories where id = $1', [other.id])
    expect(await world.query('select from public.story_highlights where id = $1', [id])).toEqual([])
  })

  it('are rejected with what does not fit [STORY-02]', async () => {
    const story = await post(creator)
    const rival = await world.buildCreator()
    await highlight(creator, [story])
    await expect(highlight(creator, [story], { name: 'best' })).rejects.toMatchObject({ code: 'PT409' })
    await expect(highlight(creator, [story], { name: ' ' })).rejects.toMatchObject({ code: 'PT422' })
    await expect(highlight(creator, [story], { name: 'x'.repeat(31) })).rejects.toMatchObject({ code: 'PT422' })
    await expect(highlight(creator, [], { name: 'None' })).rejects.toMatchObject({ code: 'PT422' })
    await expect(highlight(creator, [story, story], { name: 'Twice' })).rejects.toMatchObject({ code: 'PT422' })
    await expect(highlight(creator, [story], { name: 'Cover', cover: await post(creator) })).rejects.toMatchObject({
      code: 'PT422',
    })
    await expect(highlight(rival, [story])).rejects.toMatchObject({ code: 'PT404' })
    await expect(highlight(creator, [story], { name: 'New', id: randomUUID() })).rejects.toMatchObject({
      code: 'PT404',
    })
    await expect(highlight(fan, [story])).rejects.toMatchObject(refused)
    for (let n = 2; n <= 20; n++) await highlight(creator, [story], { name: `Number ${n}` })
    await expect(highlight(creator, [story], { name: 'Number 21' })).rejects.toMatchObject({ code: 'PT422' })
  })
})

describe('replies', () => {
  const reply = async (from: Person, story: Story, to: Person = creator) =>
    (
      await world.as(
        from,
        `insert into public.messages (sender_id, recipient_id, content, story_id) values ($1, $2, 'Wow', $3) returning id, story_id`,
        [from.profileId, to.profileId, story.id],
      )
    )[0]

  it('are messages that name the story, also after its end [STORY-02]', async () => {
    const story = await post(creator)
    expect(await reply(fan, story)).toMatchObject({ story_id: story.id })
    await world.as(creator, 'delete from public.stories where id = $1', [story.id])
    expect(await world.as(creator, 'select content, story_id from public.get_thread($1)', [fan.profileId])).toEqual([
      { content: 'Wow', story_id: story.id },
    ])
  })

  it('need a story of the recipient that the sender may see [STORY-02] [STORY-03]', async () => {
    const gone = { code: 'PT404', message: 'This story is no longer available' }
    await expect(reply(fan, await post(creator, { audience: 'subscribers' }))).rejects.toMatchObject(gone)
    const ended = await post(creator)
    await end(ended)
    await expect(reply(fan, ended)).rejects.toMatchObject(gone)
    await expect(reply(fan, await post(creator), await world.buildCreator())).rejects.toMatchObject(gone)
  })
})

describe('what ends a story early', () => {
  it('is the deletion of its file, of which the vault warns [STORY-01]', async () => {
    const file = await keep(creator)
    const story = await post(creator, { file })
    expect(
      await world.as(creator, 'select stories, posts, messages from public.get_vault_removal($1)', [[file]]),
    ).toEqual([{ stories: 1, posts: 0, messages: 0 }])
    await world.as(creator, 'select public.delete_vault_files($1)', [[file]])
    expect(await sees(creator, story)).toBe(false)
  })

  it('is an admin, who settles the reports and gives its creator the reason [STORY-03]', async () => {
    const story = await post(creator, { caption: 'Rude words' })
    const report = (who: Person, id: string) =>
      world.as(
        who,
        `insert into public.reports (reporter_id, target_type, target_id, reason) values ($1, 'story', $2, 'spam') returning excerpt, status`,
        [who.profileId, id],
      )
    expect(await report(fan, story.id)).toEqual([{ excerpt: 'Rude words', status: 'open' }])
    await expect(report(fan, (await post(creator, { audience: 'subscribers' })).id)).rejects.toMatchObject({
      code: 'PT404',
    })
    await expect(report(creator, story.id)).rejects.toMatchObject({ code: '23514' })
    const admin = await world.buildAdmin()
    expect(await world.as(admin, 'select target_type, still_there from public.get_reports()')).toEqual([
      { target_type: 'story', still_there: true },
    ])
    await expect(world.as(fan, `select public.take_down('story', $1, 'Rude')`, [story.id])).rejects.toMatchObject(
      refused,
    )
    await world.as(admin, `select public.take_down('story', $1, 'Rude')`, [story.id])
    expect(await sees(creator, story)).toBe(false)
    expect(await world.as(fan, 'select status, resolution from public.reports')).toEqual([
      { status: 'resolved', resolution: 'Rude' },
    ])
    expect(await world.as(creator, 'select title, message from public.notifications')).toEqual([
      { title: 'Story deleted for policy violation', message: 'Reason: Rude' },
    ])
    expect(await world.query(`select action from public.audit_log where subject_id = $1`, [story.id])).toEqual([
      { action: 'delete_story' },
    ])
    await expect(world.as(admin, `select public.take_down('story', $1, 'Rude')`, [story.id])).rejects.toMatchObject({
      code: 'PT404',
    })
  })

  it('is the deletion of the account [STORY-03]', async () => {
    const story = await post(creator)
    await view(fan, story)
    await highlight(creator, [story])
    await world.query('select private.delete_account($1)', [creator.userId])
    expect(await world.query('select from public.stories where id = $1', [story.id])).toEqual([])
  })
})

it('stories are deleted a month after their end, unless a highlight has them [STORY-01]', async () => {
  const [old, kept, recent] = [await post(creator), await post(creator), await post(creator)]
  await highlight(creator, [kept])
  await end(old, '31 days')
  await end(kept, '31 days')
  await end(recent, '29 days')
  expect(await world.query('select private.remove_ended_stories() as n')).toEqual([{ n: 1 }])
  expect(await world.query('select private.remove_ended_stories() as n')).toEqual([{ n: 0 }])
  const left = await world.as(creator, 'select id from public.get_story_archive()')
  expect(left.map(({ id }) => id)).toEqual([recent.id, kept.id])
})
