import { expect, test } from '@playwright/test'
import { lookAt } from './look.ts'
import { openDemo, openTab, personsBrowser, signUpAt } from './people.ts'

test('a creator shares a link, a stranger comes by it and signs up, and the creator sees it [LINK-01, LINK-02, LINK-04]', async ({
  browser,
}) => {
  const page = await openDemo(browser, 'juno', '/dashboard?tab=links')
  await expect(page.getByText('No links yet')).toBeVisible()
  await lookAt(page, 'links-empty')
  await page.getByRole('button', { name: 'New link' }).click()
  await page.getByLabel('Name').fill('Instagram')
  await lookAt(page, 'link-form', { over: true })
  await page.getByRole('button', { name: 'Create link' }).click()
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Instagram' }) })
  const path = await row.getByText(/^\/l\/[a-z0-9]{8}$/).innerText()

  // A person's browser: headless ones say that they are bots, and aren't counted.
  const context = await browser.newContext({ userAgent: personsBrowser })
  const stranger = await openTab(context)
  await stranger.goto(path)
  await expect(stranger).toHaveURL('/profile/juno')
  await signUpAt(stranger, { username: 'henrike', displayName: 'Henrike Blom' })
  await stranger.goto('/profile/juno')
  await stranger
    .getByRole('button', { name: /^Follow / })
    .first()
    .click()
  // The creator's own visit isn't one.
  await page.goto(path)
  await expect(page).toHaveURL('/profile/juno')

  await expect(async () => {
    await page.goto('/dashboard?tab=links')
    await expect(row.getByText('Visits').locator('..')).toContainText('1', { timeout: 1000 })
    await expect(row.getByText('Sign-ups').locator('..')).toContainText('1', { timeout: 1000 })
    await expect(row.getByText('Follows').locator('..')).toContainText('1', { timeout: 1000 })
  }).toPass({ timeout: 120_000 })
  await lookAt(page, 'links')
  await page.getByRole('link', { name: 'Instagram' }).click()
  await expect(page.getByRole('img', { name: 'QR code of Instagram' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'By day' })).toBeVisible()
  await lookAt(page, 'link')
  await page.getByRole('button', { name: 'More about Instagram' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByText('Link archived')).toBeVisible()
  await context.close()
  await page.context().close()
})
