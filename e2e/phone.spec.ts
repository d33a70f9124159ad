import { expect, type Locator, test } from '@playwright/test'
import { takeScreenshot } from './look.ts'
import { open, signUp } from './people.ts'

/** What only the layout of a phone can show. */
const phone = { width: 390, height: 844 }

async function edgesOf(part: Locator): Promise<{ top: number; bottom: number }> {
  const box = await part.boundingBox()
  if (!box) throw new Error(`${String(part)} isn't on the screen.`)
  return { top: box.y, bottom: box.y + box.height }
}

test('a front page on a phone says what the product is, with the creators’ prices [LOOP-03]', async ({ browser }) => {
  const { context, page } = await open(browser)
  await page.setViewportSize(phone)
  await page.goto('/auth')
  const tile = page.getByRole('article').filter({ has: page.getByRole('link', { name: 'Mara Lindqvist' }) })
  await expect(tile.getByText(/\$\d+\.\d\d/)).toBeVisible()
  await expect(page.getByText(/^Follow creators for free, subscribe for more/)).toBeVisible()
  await takeScreenshot(page, 'front-390', false)
  await context.close()
})

test('the bar of a profile leads to the plans, right below the top bar [LOOP-05]', async ({ browser }) => {
  const { context, page } = await open(browser)
  await page.setViewportSize(phone)
  await page.goto('/profile/mara')
  await page
    .getByRole('link', { name: /^Subscribe|free trial/i })
    .last()
    .click()
  await expect(page.getByRole('tab', { name: 'Subscribe', selected: true })).toBeVisible()
  const gap = async () =>
    Math.abs((await edgesOf(page.getByRole('tablist'))).top - (await edgesOf(page.getByRole('banner'))).bottom)
  // With a mouse, the search field is 8 px lower than for fingers, which the bar's place leaves room for.
  await expect.poll(gap).toBeLessThan(10)
  await takeScreenshot(page, 'plans-390', false)
  await context.close()
})

test('a draft’s buttons are at the bottom edge, below the way to the application [LOOP-07, LOOP-08]', async ({
  browser,
}) => {
  const { context, page } = await signUp(browser, {
    username: 'drafting',
    displayName: 'Dee Draft',
    wantsToCreate: true,
  })
  await page.setViewportSize(phone)
  await page.getByRole('button', { name: 'Create' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Post' })
  await expect(dialog.getByRole('link', { name: 'Apply now' })).toBeVisible()
  const bar = dialog.locator('[data-keep-clear]')
  await expect.poll(async () => Math.abs((await edgesOf(bar)).bottom - phone.height)).toBeLessThan(2)
  await takeScreenshot(page, 'draft-390', false)
  await context.close()
})
