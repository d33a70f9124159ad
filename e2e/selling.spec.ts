import { expect, type Page, test } from '@playwright/test'
import * as clients from './clients.ts'
import { lookAt } from './look.ts'
import { demoPassword, open } from './people.ts'
import { photo } from './pictures.ts'

/** What makes a visitor want more: Explore's rails, and locked posts with a price and a free cover. */
const loaded = (page: Page, selector: string) =>
  expect
    .poll(() =>
      page
        .locator(selector)
        .first()
        .evaluate((image: { naturalWidth?: number }) => image.naturalWidth ?? 0),
    )
    .toBeGreaterThan(0)

test('a visitor looks around in the rails of Explore, by keyboard and by picture [LOOP-09]', async ({ browser }) => {
  const { context, page } = await open(browser)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/explore')
  const rail = page.getByRole('region', { name: 'New', exact: true })
  const links = rail.getByRole('listitem').getByRole('link')
  await expect(links.nth(2)).toBeVisible()
  await loaded(page, 'section[aria-labelledby] li article img[src*="/render/image/"]')
  // A card is large, with the beginning of the next one beside it.
  const card = await rail.getByRole('article').first().boundingBox()
  expect(card?.width).toBeGreaterThan(280)
  expect(card?.width).toBeLessThan(360)
  const left = () => rail.getByRole('list').evaluate((list: { scrollLeft?: number }) => list.scrollLeft ?? 0)
  await links.first().focus()
  for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowRight')
  await expect(links.nth(2)).toBeFocused()
  await expect.poll(left).toBeGreaterThan(300)
  await page.keyboard.press('Home')
  await expect.poll(left).toBeLessThan(50)
  await page.getByRole('button', { name: 'All creators' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'All creators' })).toBeInViewport()
  await page
    .getByRole('link', { name: /^See all in / })
    .first()
    .click()
  await expect(page).toHaveURL(/\/explore\?category=/)
  await expect(rail).toHaveCount(0)
  await context.close()
})

test('a locked post shows its free cover to everyone, and once what unlocks it; the files stay locked [LOOP-14, LOOP-15, POST-46]', async ({
  browser,
}) => {
  const { client, userId, profileId } = await clients.signIn('tomas@ovation.example', demoPassword)
  const { data: plan } = await client
    .from('subscription_products')
    .select('id, name')
    .eq('creator_id', profileId)
    .order('price_cents')
    .limit(1)
    .single()
    .throwOnError()
  const upload = async (bucket: string, name: string, hue: number) => {
    const path = `${userId}/${name}-${Date.now()}.jpg`
    const { error } = await client.storage.from(bucket).upload(path, await photo(hue), { contentType: 'image/jpeg' })
    if (error) throw error
    return path
  }
  const [cover, secret] = [await upload('covers', 'cover', 20), await upload('posts', 'secret', 200)]
  const post = {
    creator_id: profileId,
    content: 'Saved for the table.',
    post_type: 'subscription',
    required_tier_id: plan.id,
  }
  await client
    .from('posts')
    .insert({ ...post, title: 'The second course' })
    .throwOnError()
  await client
    .from('posts')
    .insert({ ...post, title: 'The first course', cover_path: cover, media_urls: [secret], media_types: ['image'] })
    .throwOnError()

  const { context, page } = await open(browser)
  await page.goto('/profile/tomas')
  const first = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'The first course' }) })
  await expect(first.getByText(`Unlock with ${plan.name}`)).toBeVisible()
  await expect(first.getByText(/^1 photo and \d+ more posts?$/)).toBeVisible()
  await loaded(page, 'article img[src*="/covers/"]')
  const second = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'The second course' }) })
  await expect(second.getByRole('button', { name: 'Subscribe' })).toBeVisible()
  await expect(second.getByText(/^Unlock with/)).toHaveCount(0)
  await lookAt(page, 'locked-with-cover')

  const address = (bucket: string, path: string) => `/storage/v1/object/public/${bucket}/${path}`
  expect((await page.request.get(address('covers', cover))).status()).toBe(200)
  expect((await page.request.get(address('posts', secret))).status()).toBe(400)
  await context.close()
})
