import { type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test'
import * as clients from './clients.ts'
import { lookAt, takeScreenshot } from './look.ts'
import { demoPassword, open, password } from './people.ts'
import { payWith } from './sandbox.ts'

const secret = 'Pressed between two newspapers for a week, and never told to anybody.'

/** A visitor becomes a paying fan: from a profile through sign-up in context and the checkout to the unlocked post. */
test.describe.configure({ mode: 'serial' })
test.describe('a visitor joins to subscribe', () => {
  let context: BrowserContext
  let page: Page
  let saleId: string

  test.beforeAll(async ({ browser }) => {
    const ines = await clients.signIn('ines@ovation.example', demoPassword)
    const { data: plan } = await ines.client
      .from('subscription_products')
      .select('id')
      .eq('creator_id', ines.profileId)
      .eq('name', 'Field notes')
      .single()
      .throwOnError()
    const content = `${'What everybody may read. '.repeat(5)}${secret}`
    const post = { creator_id: ines.profileId, content }
    const { data: posts } = await ines.client
      .from('posts')
      .insert([
        { ...post, title: 'Sheet 115', post_type: 'subscription', required_tier_id: plan.id },
        { ...post, title: 'The first sheet', post_type: 'ppv', ppv_price: 300 },
      ])
      .select('id, title')
      .throwOnError()
    saleId = posts.find(({ title }) => title === 'The first sheet')?.id
    ;({ context, page } = await open(browser))
  })
  test.afterAll(() => context?.close())

  test('reaches Explore, search, and creators from the front page [LOOP-03, HOME-02]', async () => {
    await page.goto('/')
    await expect(page).toHaveURL('/auth')
    // She has subscribers, so she is there, whichever creators other tests make popular.
    const tile = page.getByRole('article').filter({ has: page.getByRole('link', { name: 'Mara Lindqvist' }) })
    for (const kind of ['banners', 'avatars']) {
      const picture = tile.locator(`img[src*="/${kind}/"]`)
      await expect
        .poll(() => picture.evaluate((image: { naturalWidth?: number }) => image.naturalWidth ?? 0))
        .toBeGreaterThan(0)
    }
    await expect(page.getByRole('banner').getByRole('link', { name: 'Explore' })).toHaveAttribute('href', '/explore')
    // On a phone, the creators are above the form.
    const size = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 844 })
    const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN
    await expect.poll(async () => (await topOf(tile)) < (await topOf(page.getByRole('tablist')))).toBe(true)
    if (size) await page.setViewportSize(size)
    await tile.getByRole('link', { name: 'Mara Lindqvist' }).click()
    await expect(page).toHaveURL('/profile/mara')
  })

  test('signs up beside the creator, the plan, and the price [LOOP-04, GEN-40]', async () => {
    await page.goto('/profile/ines')
    await page.getByRole('tab', { name: 'Subscribe' }).click()
    await page.getByRole('button', { name: 'Subscribe Now: Field notes' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Join to subscribe to Inês Okafor' })).toBeVisible()
    await expect(page.getByText('Sign In Required')).toBeVisible()
    await expect(page.getByRole('article').getByText('$7.00')).toBeVisible()
    await lookAt(page, 'joining')
    const form = page.getByRole('tabpanel', { name: 'Sign Up' })
    await form.getByLabel('Email').fill('jona@example.com')
    await form.getByLabel('Password', { exact: true }).fill(password)
    await form.getByLabel(/I am at least 18 years old/).check()
    await form.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page.getByRole('dialog', { name: 'Continue where you left off' })).toBeVisible()
    await expect(page).toHaveURL(/\/profile\/ines\?tab=subscribe/)
    await lookAt(page, 'joining-continue', { over: true })
  })

  test('sees after each payment whom it went to and what it unlocked, and no screen of creators [LOOP-04, LOOP-06, LOOP-18]', async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Subscribe Now' }).click()
    await page.waitForURL(/\/sandbox\//)
    await payWith(page, { button: /^Subscribe/ })
    const size = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.waitForURL(/\/subscription-success/)
    await expect(page.getByRole('heading', { name: 'Subscription Successful!' })).toBeVisible()
    await expectNoHeadingCovered()
    if (size) await page.setViewportSize(size)
    await expectFaceAndCover()
    await lookAt(page, 'subscription-success')
    await page.getByRole('link', { name: 'Sheet 115' }).click()
    await expect(page.getByRole('heading', { name: 'Sheet 115' })).toBeVisible()
    await expect(page.getByRole('article').getByText(secret, { exact: false })).toBeVisible()

    await page.goto(`/post/${saleId}`)
    await page.getByRole('button', { name: 'Purchase' }).click()
    await page.waitForURL(/\/sandbox\//)
    await payWith(page, { button: 'Pay $3.00' })
    await page.waitForURL(/\/post\//)
    await expect(page.getByRole('heading', { name: 'Payment confirmed. Enjoy the post!' })).toBeVisible()
    await expectFaceAndCover()
    await expect(page.getByRole('article').getByText(secret, { exact: false })).toBeVisible()
    await lookAt(page, 'post-just-bought')
  })

  /** On a phone, where there is hardly room for the toast of SUB-12. */
  async function expectNoHeadingCovered() {
    await expect(page.getByRole('heading', { name: 'Just unlocked for you' })).toBeVisible()
    const toast = page.locator('[data-toasts]').getByRole('status')
    await expect(toast).toContainText('Subscription verified!')
    const covers = async (part: Locator) => {
      const [above, below] = await Promise.all([toast.boundingBox(), part.boundingBox()])
      return !above || !below || (above.y < below.y + below.height && above.y + above.height > below.y)
    }
    for (const heading of await page.getByRole('main').getByRole('heading').all())
      await expect.poll(() => covers(heading)).toBe(false)
    await takeScreenshot(page, 'subscription-success-toast-390', false)
  }

  async function expectFaceAndCover() {
    const main = page.getByRole('main')
    await expect(main.locator('img[src*="/banners/"]')).toBeVisible()
    await expect(main.locator('img[src*="/avatars/"]').first()).toBeVisible()
    await expect(main.locator('a[href^="/dashboard"], a[href^="/creator"]')).toHaveCount(0)
  }
})
