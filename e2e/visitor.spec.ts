import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BrowserContext, expect, test } from '@playwright/test'
import { demoPassword, open, signInContext } from './people.ts'

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

test('a profile has a head for search engines, and a card in a frame of another site [FIND-02, FIND-03]', async ({
  browser,
}) => {
  const { context, page } = await open(browser)
  await page.goto('/profile/mara')
  await expect(page).toHaveTitle('Mara Lindqvist (@mara) · Ovation')
  const url = (await page.locator('link[rel="canonical"]').getAttribute('href')) ?? ''
  expect(new URL(url).pathname).toBe('/profile/mara')
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '')
  expect(data['@graph'][0]).toMatchObject({ '@type': 'ProfilePage', url })
  const { html } = await (await page.request.get(`/oembed?url=${encodeURIComponent(url)}`)).json()
  // Another origin, with a server of its own: a page without one may not embed what is on this machine.
  const blog = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html))
  await new Promise<void>((listening) => blog.listen(0, '127.0.0.1', listening))
  await page.goto(`http://127.0.0.1:${(blog.address() as AddressInfo).port}/`)
  const card = page.frameLocator('iframe')
  await expect(card.getByText('@mara')).toBeVisible()
  await expect(card.getByRole('link', { name: 'See the profile on Ovation' })).toHaveAttribute('href', url)
  await context.close()
  blog.close()
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

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  for (const { what, path, heading, text } of [
    { what: 'the front page', path: '/', heading: /straight from the people who make it/, text: 'Mara Lindqvist' },
    { what: 'a profile', path: '/profile/mara', heading: /Mara Lindqvist/, text: 'Where the valley opens' },
    { what: 'a profile’s plans', path: '/profile/mara?tab=subscribe', heading: /Mara Lindqvist/, text: 'Darkroom' },
    { what: 'Explore', path: '/explore', heading: 'Explore', text: 'Mara Lindqvist' },
    { what: 'the terms', path: '/terms-of-service', heading: 'Terms of Service', text: 'Acceptance of terms' },
    { what: 'the privacy policy', path: '/privacy-policy', heading: 'Privacy Policy', text: 'Your rights' },
  ])
    test(`a visitor reads ${what} [FIND-01]`, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      await expect(page.getByText(text).first()).toBeVisible()
      expect(await page.title()).not.toBe('Ovation')
    })

  test('a visitor reads a post, and finds the way there and on by links [FIND-01]', async ({ page }) => {
    await page.goto('/explore')
    await page.getByRole('link', { name: 'Mara Lindqvist', exact: true }).first().click()
    await page.getByRole('article').getByRole('link', { name: 'Where the valley opens' }).first().click()
    await expect(page).toHaveURL(/\/post\/[0-9a-f-]+$/)
    await expect(page.getByText('Up at four for this one.')).toBeVisible()
    const photo = page.getByRole('article').locator('img[src^="/storage/v1/object/sign/posts/"]').first()
    await expect(photo).toBeVisible()
    await page.getByRole('searchbox').or(page.getByRole('combobox')).fill('valley')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/search?q=valley')
  })
})

test('the app takes over what the server has rendered, without drawing it again [FIND-01]', async ({ browser }) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const differences: string[] = []
  page.on('console', (message) => message.type() === 'debug' && differences.push(message.text()))
  for (const path of ['/auth', '/explore', '/profile/mara', '/terms-of-service']) {
    const start = await holdStart(context)
    await page.goto(path, { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.evaluate(`document.querySelector('h1').isServers = true`)
    start()
    await expect(page.locator('[data-visitor-page]')).toHaveCount(0)
    expect(await page.evaluate(`document.querySelector('h1').isServers`), path).toBe(true)
  }
  expect(differences).toEqual([])
  await context.close()
})

test('a signed-in user never sees the visitor’s page [FIND-01]', async ({ browser }) => {
  const context = await browser.newContext()
  // As after an update: the session is older than the cookie that tells the server of it.
  await signInContext(context, 'lena@ovation.example', demoPassword)
  const page = await context.newPage()
  const start = await holdStart(context)
  await page.goto('/profile/mara', { waitUntil: 'commit' })
  await expect(page.locator('[data-visitor-page]')).toBeAttached()
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden()
  start()
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: /Mara/ })).toBeVisible()
  // From then on, the server sends them none.
  const html = await (await page.request.get('/profile/mara')).text()
  expect(html).not.toContain('data-visitor-page')
  await context.close()
})

/** Keeps the app of the next document from starting. @returns a function that lets it start. */
async function holdStart(context: BrowserContext): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await context.route(
    '**/app-config.json',
    async (route) => {
      await released
      await route.continue()
    },
    { times: 1 },
  )
  return release
}
