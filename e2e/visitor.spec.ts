import { expect, test } from '@playwright/test'
import { open } from './people.ts'

/** What visitors see at URLs that users share and type. */
for (const path of ['/profile', '/creator-onboarding', '/subscription-products', '/private-sessions?tab=offers']) {
  test(`a visitor to ${path} signs in first and returns there [GEN-38, D35]`, async ({ browser }) => {
    const { context, page } = await open(browser)
    await page.goto(path)
    await expect(page).toHaveURL(`/auth?next=${encodeURIComponent(path)}`)
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
    await context.close()
  })
}

test('a visitor reads profiles, Explore, and search results without signing in [GEN-38, D35]', async ({ browser }) => {
  const { context, page } = await open(browser)
  await page.goto('/profile/mara')
  await expect(page.getByRole('heading', { level: 1, name: /Mara/ })).toBeVisible()
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.goto('/explore')
  await expect(page.getByText(/^\d+ creators found$/)).toBeVisible()
  await page.goto('/search?q=mara')
  await expect(page.getByRole('heading', { name: 'Search results for "mara"' })).toBeVisible()
  await expect(page.getByRole('link', { name: '@mara' })).toBeVisible()
  await context.close()
})

test('a creator card shows the avatar, names, verified mark, two lines of bio, and categories [EXPL-09]', async ({
  browser,
}) => {
  const { context, page } = await open(browser)
  await page.goto('/explore')
  const card = page
    .getByRole('region', { name: 'All creators' })
    .getByRole('article')
    .filter({ has: page.getByRole('link', { name: 'Mara Lindqvist', exact: true }) })
  await expect(card.getByText('@mara')).toBeVisible()
  await expect(card.getByRole('img', { name: 'Verified' })).toBeVisible()
  await expect(card.getByText('Photography')).toBeVisible()
  const avatar = card.locator('img[src*="/avatars/"]')
  await expect
    .poll(() => avatar.evaluate((image: { naturalWidth?: number }) => image.naturalWidth ?? 0))
    .toBeGreaterThan(0)
  const bio = card.getByText(/^Landscapes on slow film/)
  await expect(bio).toHaveCSS('-webkit-line-clamp', '2')
  await context.close()
})

test('any other path and /404 itself show the not-found screen [404-01, 404-02, 404-03]', async ({ browser }) => {
  const { context, page } = await open(browser)
  for (const path of ['/404', '/no/such/screen', '/post', '/profile/mara/followers/all']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Oops! Page not found' }), path).toBeVisible()
    await expect(page.getByText('404', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/')
  }
  await context.close()
})
