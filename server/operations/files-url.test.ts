import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPlan, buildPost, buildSeller } from '../public-pages/testing/creators.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'

const files = 'https://files.ovation.example'
const site = 'https://ovation.example'
let gateway: TestGateway
let mara: Person

beforeAll(async () => {
  gateway = await startGateway({ env: { SITE_URL: site, FILES_URL: files } })
  mara = await buildSeller(gateway, 'mara')
  const avatar = `/storage/v1/object/public/avatars/${mara.userId}/a.webp`
  await gateway.query('update private.profiles set avatar_url = $2 where id = $1', [mara.profileId, avatar])
})
afterAll(() => gateway?.close())

const read = async (path: string) => {
  const answer = await fetch(gateway.url + path)
  return { headers: answer.headers, text: await answer.text() }
}

describe('with FILES_URL, the product', () => {
  it('tells the app where files are, and lets its pages load them [SCALE-06]', async () => {
    const { text, headers } = await read('/app-config.json')
    expect(JSON.parse(text)).toMatchObject({ filesUrl: files })
    expect(headers.get('content-security-policy')).toContain(`img-src 'self' data: blob: ${files}`)
  })

  it('has the addresses of public pictures there in cards, oEmbed, and feeds, and pages here [SCALE-06, FIND-03, RSS-01]', async () => {
    const face = `${files}/storage/v1/render/image/public/avatars/${mara.userId}/a.webp`
    const card = await read('/embed/profile/mara')
    expect(card.text).toContain(`<img class="face" src="${face}?width=144&amp;height=144"`)
    expect(card.text).toContain(`href="${site}/profile/mara"`)
    expect(card.headers.get('content-security-policy')).toContain(`img-src 'self' ${files};`)
    const { text } = await read('/profile/mara/feed.json')
    expect(JSON.parse(text)).toMatchObject({
      home_page_url: `${site}/profile/mara`,
      icon: `${files}/storage/v1/object/public/avatars/${mara.userId}/a.webp`,
    })
  })

  it('leaves on the site what it checks for each request: the files of free posts [SCALE-06, FIND-02]', async () => {
    await buildPost(gateway, mara, { picture: true })
    const { text } = await read('/profile/mara/feed.xml')
    expect(text).toContain(`${site}/storage/v1/object/posts/${mara.userId}/`)
    expect(text).not.toContain(`${files}/storage/v1/object/posts/`)
  })

  it('has the same links for all readings of a private feed in a day, there [SCALE-06, RSS-02]', async () => {
    const plan = await buildPlan(gateway, mara)
    const fan = await gateway.signUp()
    await gateway.query(
      `select private.apply_subscription_state('sub_files', $1, $2, $3, 'active', now() - interval '1 day', now() + interval '29 days', null, false, null, now())`,
      [fan.profileId, mara.profileId, plan],
    )
    const film = `${mara.userId}/film.mp4`
    const body = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomiso2')
    await mara.client.storage.from('posts').upload(film, body, { contentType: 'video/mp4' })
    await mara.client
      .from('posts')
      .insert({ creator_id: mara.profileId, content: 'Film', media_urls: [film], media_types: ['video'] })
      .throwOnError()
    const { data } = await fan.client.rpc('get_feed_address', { creator_profile_id: mara.profileId }).throwOnError()
    const feed = async () => JSON.parse((await read(`/feeds/${data.token}.json`)).text)
    const first = await feed()
    const urls = first.items.flatMap(({ attachments = [] }: { attachments?: { url: string }[] }) =>
      attachments.map(({ url }) => url),
    )
    expect(urls).toEqual([expect.stringMatching(/^https:\/\/files\.ovation\.example\/storage\/v1\/links\//)])
    expect(await feed()).toEqual(first)
    expect((await fetch(urls[0].replace(files, gateway.url))).status).toBe(200)
  })
})
