import { decodeJwt } from 'jose'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { buildCreator } from '../testing/people.ts'
import { removeEndedStories } from './remove-ended-stories.ts'

let gateway: TestGateway
let creator: Person
let fan: Person
beforeAll(async () => {
  gateway = await startGateway()
  creator = await buildCreator(gateway)
  fan = await gateway.signUp()
})
afterAll(() => gateway?.close())

async function keep(bytes: Buffer, contentType: string): Promise<string> {
  const path = `${creator.userId}/${crypto.randomUUID()}`
  const { data, error } = await creator.client.storage.from('vault').upload(path, bytes, { contentType })
  if (error) throw error
  return data.id
}
const photo = () =>
  sharp({ create: { width: 90, height: 160, channels: 3, background: '#a03' } })
    .jpeg()
    .toBuffer()
async function share(audience = 'everyone') {
  const { data } = await creator.client
    .rpc('create_story', { file_id: await keep(await photo(), 'image/jpeg'), audience })
    .single<{ id: string; path: string }>()
    .throwOnError()
  return data
}
const linkTo = async (path: string, { client }: Pick<Person, 'client'> = fan, stable = false) => {
  const files = client.storage.from('stories')
  if (stable) files.setHeader('Prefer', 'stable-links')
  const { data } = await files.createSignedUrls([path], 3600)
  return data?.[0]?.signedUrl || undefined
}
const statusOf = async (link: string) => {
  const response = await fetch(link)
  await response.arrayBuffer()
  return response.status
}
const tokenOf = (link: string) => /(?:token=|links\/)([^/&]+)/.exec(link)?.[1] ?? ''
const end = (id: string, at: string) =>
  gateway.services.database.service.rows({
    text: `update public.stories set ends_at = now() + $2::interval where id = $1`,
    values: [id, at],
  })

describe('the file of a story', () => {
  it('has no content of its own: it is that of the vault [STORY-01]', async () => {
    const { path } = await share()
    const [file] = await gateway.services.database.service.rows<{ objects: number }>({
      text: `select count(*)::int as objects from storage.objects where version = (select version from storage.objects where bucket_id = 'stories' and name = $1)`,
      values: [path],
    })
    expect(file?.objects).toBe(2)
  })

  it('is read by its audience only, in every way [STORY-03]', async () => {
    const { path } = await share('followers')
    expect(await linkTo(path)).toBeUndefined()
    const direct = await fan.client.storage.from('stories').download(path)
    expect(direct.error).not.toBeNull()
    await fan.client
      .from('follows')
      .insert({ follower_id: fan.profileId, following_id: creator.profileId })
      .throwOnError()
    expect(await statusOf((await linkTo(path)) ?? '')).toBe(200)
    await fan.client.from('follows').delete().eq('follower_id', fan.profileId).throwOnError()
    expect(await linkTo(path)).toBeUndefined()
  })

  it.each([
    ['a link', false],
    ['a stable link', true],
  ])('has %s that lasts no longer than the story [STORY-01] [STORY-03]', async (_kind, stable) => {
    const { id, path } = await share()
    await end(id, '90 seconds')
    const { exp = 0 } = decodeJwt(tokenOf((await linkTo(path, fan, stable)) ?? ''))
    const left = exp - Date.now() / 1000
    expect(left).toBeLessThanOrEqual(90)
    expect(left).toBeGreaterThan(60)
    // Not even its creator gets a longer one.
    expect(decodeJwt(tokenOf((await linkTo(path, creator, stable)) ?? '')).exp).toBeLessThanOrEqual(exp + 1)
  })

  it('is gone for all links as soon as the story is deleted [STORY-03]', async () => {
    const { id, path } = await share()
    const links = [(await linkTo(path)) ?? '', (await linkTo(path, fan, true)) ?? '']
    for (const link of links) expect(await statusOf(link)).toBe(200)
    await creator.client.from('stories').delete().eq('id', id).throwOnError()
    await expect.poll(async () => Promise.all(links.map(statusOf))).toEqual([400, 400])
  })

  it('is gone for links to a highlight that the story leaves [STORY-02] [STORY-03]', async () => {
    const { id, path } = await share()
    const { data: highlight } = await creator.client
      .rpc('save_story_highlight', { name: 'Best', story_ids: [id] })
      .throwOnError()
    await end(id, '-1 second')
    const link = (await linkTo(path)) ?? ''
    expect(await statusOf(link)).toBe(200)
    await creator.client.from('story_highlights').delete().eq('id', highlight).throwOnError()
    await expect.poll(() => statusOf(link)).toBe(400)
    expect(await linkTo(path)).toBeUndefined()
  })

  it('is not uploaded, replaced, or removed through storage [STORY-03]', async () => {
    const { path } = await share()
    const files = creator.client.storage.from('stories')
    const own = await files.upload(`${creator.userId}/mine.jpg`, await photo(), { contentType: 'image/jpeg' })
    const other = await files.upload(path, await photo(), { contentType: 'image/jpeg', upsert: true })
    for (const { error } of [own, other]) expect(error).not.toBeNull()
    await files.remove([path])
    expect(await linkTo(path)).toBeDefined()
  })
})

it('stories are deleted a month after their end, by a job [STORY-01]', async () => {
  const { id } = await share()
  await end(id, '-31 days')
  await removeEndedStories(gateway.services.database.service)
  const { data } = await creator.client.from('stories').select('id').eq('id', id).throwOnError()
  expect(data).toEqual([])
})
