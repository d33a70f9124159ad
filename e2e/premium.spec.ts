import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page, test } from '@playwright/test'
import * as clients from './clients.ts'
import { settle } from './look.ts'
import { demoPassword, openDemo } from './people.ts'
import { photo } from './pictures.ts'

/** Premium content as the server sends it: in full to subscribers, and not at all to others. Uses the demo's users. */
test.describe('premium content', () => {
  const title = `From the darkroom ${Date.now()}`
  const secret = `only for subscribers ${Date.now()}`
  // Longer than the public preview (POST-11), so that the secret is gated.
  const content = `${'The first hundred characters of a gated post are its preview, and everyone may read them. '.repeat(2)}${secret}`
  const names = ['photo', 'video'] as const
  let address = ''
  let paths: readonly string[] = []

  test.beforeAll(async () => {
    const { client, userId, profileId } = await clients.signIn('mara@ovation.example', demoPassword)
    address = `/protected-content?creator_id=${profileId}`
    const files = {
      photo: { path: `${userId}/premium-${Date.now()}.jpg`, type: 'image/jpeg', bytes: await photo(75) },
      video: {
        path: `${userId}/premium-${Date.now()}.mp4`,
        type: 'video/mp4',
        bytes: readFileSync(new URL('../server/demo/video/hills.mp4', import.meta.url)),
      },
    }
    for (const name of names) {
      const { path, type, bytes } = files[name]
      const { error } = await client.storage.from('posts').upload(path, bytes, { contentType: type })
      expect(error).toBeNull()
    }
    paths = names.map((name) => files[name].path)
    const { data: plans } = await client
      .from('subscription_products')
      .select('id')
      .eq('creator_id', profileId)
      .order('price_cents')
      .throwOnError()
    await client
      .from('posts')
      .insert({
        creator_id: profileId,
        title,
        content,
        post_type: 'subscription',
        required_tier_id: plans[0]?.id,
        media_urls: paths,
        media_types: ['image', 'video'],
      })
      .throwOnError()
  })

  test("a subscriber sees the creator's own videos, photos, articles, and downloads [PREM-03]", async ({ browser }) => {
    const page = await openDemo(browser, 'lena', address)
    await page.getByRole('tab', { name: 'Videos' }).click()
    await expect(page.getByRole('tabpanel', { name: 'Videos' }).getByRole('link', { name: title })).toBeVisible()
    await page.getByRole('tab', { name: 'Photo gallery' }).click()
    const newest = page.getByRole('button', { name: /^Open photo 1 of/ }).getByRole('img')
    await expect.poll(() => widthOf(newest)).toBeGreaterThan(0)
    await page.getByRole('tab', { name: 'Articles' }).click()
    await expect(page.getByText(new RegExp(secret))).toBeVisible()
    await page.getByRole('tab', { name: 'Downloads' }).click()
    const downloads = page.getByRole('tabpanel', { name: 'Downloads' }).getByRole('listitem').filter({ hasText: title })
    await expect(downloads).toHaveCount(names.length)
    const download = page.waitForEvent('download')
    await downloads.first().getByRole('button').click()
    expect((await download).suggestedFilename()).toMatch(/\.(jpg|mp4)$/)
    await page.context().close()
  })

  test('the server sends nothing gated to a user without access [PREM-05]', async ({ browser }) => {
    const page = await openDemo(browser, 'sam', '/privacy-policy')
    await settle(page)
    const bodies = collectResponses(page)
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'Subscription Required' })).toBeVisible()
    await settle(page)
    await Promise.all(bodies)
    await page.goto('/profile/mara')
    await expect(page.getByRole('article').filter({ hasText: title })).toBeVisible()
    await settle(page)
    const received = (await Promise.all(bodies)).join('\n')
    expect(received).toContain(title) // the response included the post, so that its missing content proves something
    expect(received).not.toContain(secret)
    for (const path of paths) expect(received).not.toContain(path)
    await page.context().close()
  })
})

/** In pixels; 0 until the picture is decoded. */
function widthOf(image: Locator): Promise<number> {
  return image.evaluate((element: { naturalWidth?: number }) => element.naturalWidth ?? 0)
}

/** The bodies of all API responses to the page from now on. Await them before the next navigation, which drops them. */
function collectResponses(page: Page): Promise<string>[] {
  const bodies: Promise<string>[] = []
  page.on('requestfinished', (request) => {
    if (!/\/(rest|storage|functions)\/v1\//.test(request.url())) return
    bodies.push(request.response().then(async (response) => (await response?.text()) ?? ''))
  })
  return bodies
}
