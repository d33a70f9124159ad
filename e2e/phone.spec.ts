import { expect, type Locator, test } from '@playwright/test'
import { takeScreenshot } from './look.ts'
import { demoPassword, open, signIn, signUp } from './people.ts'

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

test('an admin finds the payments from the account menu, and each says Refund [GEN-28, LOOP-20, LOOP-24]', async ({
  browser,
}) => {
  const { context, page } = await open(browser)
  await page.setViewportSize(phone)
  await signIn(page, 'robin@ovation.example', demoPassword, '/explore')
  const avatar = page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Account menu' })
  await avatar.click()
  const menu = page.getByRole('menu')
  await expect(menu.getByRole('menuitem', { name: 'Profile', exact: true })).toBeVisible()
  expect((await edgesOf(menu)).bottom).toBeLessThan((await edgesOf(avatar)).top)
  await takeScreenshot(page, 'account-menu-390', false)
  await menu.getByRole('menuitem', { name: 'Admin Panel' }).click()
  // The whole way is in view: nothing has to be scrolled sideways.
  const payments = page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Payments' })
  await expect(payments).toBeInViewport({ ratio: 1 })
  await payments.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible()
  const refund = page.getByRole('button', { name: /^Refund \$/ }).first()
  await expect(refund).toHaveText('Refund')
  await takeScreenshot(page, 'payments-390', false)
  await context.close()
})
