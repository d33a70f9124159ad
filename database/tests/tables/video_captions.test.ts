import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type Creator, type DatabaseFixture, openDatabaseFixture } from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let rival: Creator
beforeAll(async () => {
  world = await openDatabaseFixture()
  ;[creator, rival] = (await Promise.all([world.buildCreator(), world.buildCreator()])) as [Creator, Creator]
})
afterAll(() => world.close())

const vtt = 'WEBVTT\n\n00:01.000 --> 00:04.000\nGood morning from the harbour.\n'

async function buildVideo(owner: Creator): Promise<string> {
  const path = `${owner.userId}/${randomUUID()}.mp4`
  await world.query(
    `insert into storage.objects (bucket_id, name, owner_id, metadata, version) values ('posts', $1, $2, '{"mimetype": "video/mp4"}', $3)`,
    [path, owner.userId, randomUUID()],
  )
  return path
}
const insertPost = `insert into public.posts (creator_id, content, media_urls, media_types) values ($1, 'Watch', array[$2], array['video']) returning id`
const publish = async (owner: Creator, path: string) =>
  String((await world.as(owner, insertPost, [owner.profileId, path]))[0]?.id)
const set = (caller: Caller, path: string, language: string | null, content: string | null) =>
  world.as(caller, 'select public.set_video_captions($1, $2, $3)', [path, language, content])
const captionsOf = (path: string) =>
  world.query(
    'select c.language, c.content from private.video_captions c join storage.objects o on o.id = c.object_id where o.name = $1 order by 1',
    [path],
  )
const previews = async (id: string) =>
  (await world.as('anon', 'select media_previews from public.posts where id = $1', [id]))[0]?.media_previews

describe('captions of a video [POST-16, POST-17]', () => {
  it('can be set before or after the post, changed, and deleted, and the post lists their languages', async () => {
    const path = await buildVideo(creator)
    await set(creator, path, 'en', vtt)
    const id = await publish(creator, path)
    expect(await previews(id)).toEqual([{ captions: ['en'] }])
    // As an editor on another system writes it: with a mark in front and other ends of lines.
    await set(creator, path, 'de', `\uFEFF${vtt.replaceAll('\n', '\r\n')}`)
    await set(creator, path, 'en', vtt.replace('morning', 'evening'))
    expect(await captionsOf(path)).toEqual([
      { language: 'de', content: vtt },
      { language: 'en', content: vtt.replace('morning', 'evening') },
    ])
    expect(await previews(id)).toEqual([{ captions: ['de', 'en'] }])
    await set(creator, path, 'de', null)
    await set(creator, path, 'en', null)
    expect(await captionsOf(path)).toEqual([])
    expect(await previews(id)).toEqual([{}])
  })

  it('can only be set by the owner of a video', async () => {
    const path = await buildVideo(creator)
    const picture = await world.buildFile(creator)
    for (const caller of [rival, await world.buildAdmin(), 'service_role'] as const)
      await expect(set(caller, path, 'en', vtt)).rejects.toMatchObject({ code: 'PT404' })
    await expect(set('anon', path, 'en', vtt)).rejects.toMatchObject({ code: '42501' })
    await expect(set(creator, picture, 'en', vtt)).rejects.toMatchObject({ code: 'PT404' })
    await expect(set(creator, 'nothing/here.mp4', 'en', vtt)).rejects.toMatchObject({ code: 'PT404' })
    await world.as(await world.buildAdmin(), `select public.suspend_user($1, 'Spam')`, [rival.profileId])
    await expect(set(rival, await buildVideo(rival), 'en', vtt)).rejects.toMatchObject({ code: 'PT404' })
    expect(await captionsOf(path)).toEqual([])
  })

  it.each([
    ['a text that is no WebVTT', 'en', '1\n00:00:01,000 --> 00:00:04,000\nGood morning\n'],
    ['WebVTT without a caption', 'en', 'WEBVTT\n\nNOTE nothing yet\n'],
    ['a word that only begins alike', 'en', vtt.replace('WEBVTT', 'WEBVTTX')],
    ['more than 500 kB', 'en', `${vtt}${'NOTE more and more\n'.repeat(30_000)}`],
    ['no language', null, vtt],
    ['a language that is none', 'en"><script>', vtt],
  ])('are rejected: %s', async (_what, language, content) => {
    const path = await buildVideo(creator)
    await expect(set(creator, path, language, content)).rejects.toMatchObject({ code: 'PT422' })
    expect(await captionsOf(path)).toEqual([])
  })

  it('exist in up to twenty languages', async () => {
    const path = await buildVideo(creator)
    const languages = Array.from({ length: 20 }, (_, index) => `a${String.fromCharCode(97 + index)}`)
    for (const language of languages) await set(creator, path, language, vtt)
    await expect(set(creator, path, 'zz', vtt)).rejects.toMatchObject({ code: 'PT422' })
    expect(await captionsOf(path)).toHaveLength(20)
  })

  it('are deleted with the video', async () => {
    const path = await buildVideo(creator)
    await set(creator, path, 'en', vtt)
    const id = await publish(creator, path)
    await world.as(creator, 'delete from public.posts where id = $1', [id])
    expect(await captionsOf(path)).toEqual([])
  })
})

it('a post that is inserted while its video is being processed gets its poster and duration [POST-10]', async () => {
  const path = await buildVideo(creator)
  const [video] = await world.query(
    'select v.object_id, v.version from private.videos v join storage.objects o on o.id = v.object_id where o.name = $1',
    [path],
  )
  const facts = { width: 640, height: 360, duration: 5, stream: true }
  const { all, commit } = await world.begin(creator, [insertPost], [creator.profileId, path])
  // The post isn't committed yet, so an update of the video's posts has to wait for it.
  const finished = world.query(`select private.finish_video($1, $2, $3, '[]') as done`, [
    video?.object_id,
    video?.version,
    JSON.stringify(facts),
  ])
  await expect
    .poll(
      async () =>
        (
          await world.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%finish_video(%'`,
          )
        ).length,
    )
    .toBe(1)
  await commit()
  expect(await finished).toEqual([{ done: true }])
  expect(await previews(String(all[0]?.[0]?.id))).toEqual([facts])
})
