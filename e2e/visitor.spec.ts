import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BrowserContext, expect, test } from '@playwright/test'
import * as clients from './clients.ts'
import { lookAt } from './look.ts'
import { demoPassword, open, signIn, signInContext } from './people.ts'
import { photo } from './pictures.ts'

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

test('Sign In in the header brings the form of the front page into view on a phone, with its first field in focus [GEN-31, LOOP-03]', async ({
  browser,
}) => {
  const { context, page } = await open(browser)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  const email = page.getByRole('textbox', { name: 'Email' })
  await expect(email).not.toBeFocused()
  for (const _press of [1, 2]) {
    await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click()
    await expect(page.getByRole('tab', { name: 'Sign In', selected: true })).toBeInViewport()
    await expect(email).toBeFocused()
    await expect(email).toBeInViewport()
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
  }
  await context.close()
})

test('Explore offers posts that are sold one by one, with their prices [LOOP-09]', async ({ browser }) => {
  const { context, page } = await open(browser)
  await page.goto('/explore')
  const rail = page.getByRole('region', { name: 'Posts to buy' })
  await expect(rail.getByRole('article').filter({ hasText: /\$\d+\.00/ })).not.toHaveCount(0)
  const post = rail.getByRole('link').first()
  await post.click()
  await expect(page).toHaveURL(/\/post\//)
  await expect(page.getByRole('button', { name: 'Purchase' })).toBeVisible()
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

  test('a wide window has a creator’s plans and website beside the profile [FIND-01, LOOP-19]', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/profile/mara')
    const related = page.getByRole('complementary', { name: 'Related' })
    await expect(related.getByRole('link', { name: /Darkroom/ })).toBeVisible()
    await expect(related.getByRole('link', { name: 'example.com/mara' })).toBeVisible()
  })

  test('a visitor reads a product, and finds the way there by a link [FIND-01, OFFER-05]', async ({ page }) => {
    await page.goto('/profile/mara?tab=subscribe')
    await page.getByRole('link', { name: 'Salt and Fog, the zine' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Salt and Fog, the zine' })).toBeVisible()
    await expect(page.getByText("What's included")).toBeVisible()
    expect(await page.title()).toBe('Salt and Fog, the zine by Mara Lindqvist · Ovation')
  })

  test('a visitor reads a post, and finds the way there and on by links [FIND-01]', async ({ page }) => {
    await page.goto('/explore')
    await page.getByRole('link', { name: 'Mara Lindqvist', exact: true }).first().click()
    await page.getByRole('article').getByRole('link', { name: 'Where the valley opens' }).first().click()
    await expect(page).toHaveURL(/\/post\/[0-9a-f-]+$/)
    await expect(page.getByText('Up at four for this one.')).toBeVisible()
    const photo = page.getByRole('article').locator('img[src^="/storage/v1/links/"]').first()
    await expect(photo).toBeVisible()
    await page
      .getByRole('banner')
      .getByRole('searchbox')
      .or(page.getByRole('banner').getByRole('combobox'))
      .fill('valley')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/search?q=valley')
  })
})

/**
 * Other files look at the front page while these tests change it. So the operator's words contain the product's own, and the creator whom
 * they look for is featured.
 */
test.describe('the operator’s front page', () => {
  const headline = 'Lisbon’s photos, straight from the people who make it.'
  const message = 'Follow creators for free, subscribe for more, and meet them <b>in town</b>.'
  test.afterAll(async () => {
    const { client } = await clients.signIn('robin@ovation.example', demoPassword)
    await client.rpc('set_front_page').throwOnError()
  })

  test('shows visitors without scripts what an admin has set, within seconds [FIND-06]', async ({ browser }) => {
    const { context, page } = await open(browser)
    await signIn(page, 'robin@ovation.example', demoPassword, '/admin?tab=front-page')
    await page.getByRole('textbox', { name: 'Headline' }).fill(headline)
    await page.getByRole('textbox', { name: 'Text' }).fill(message)
    await page.getByRole('textbox', { name: 'Hex value' }).fill('#1f5f99')
    const name = 'tram.jpg'
    const buffer = await photo(200, 1600, 900)
    await page
      .locator('input[type="file"][aria-label="Picture"]')
      .setInputFiles({ name, mimeType: 'image/jpeg', buffer })
    await page.getByRole('dialog', { name: 'Crop picture' }).getByRole('button', { name: 'Use image' }).click()
    await page.getByRole('textbox', { name: 'Picture description' }).fill('A tram on a hill')
    for (const creator of ['Mara Lindqvist', 'Inês Okafor']) {
      await page.getByRole('searchbox', { name: 'Search creators' }).fill(creator)
      await page.getByRole('button', { name: `Feature ${creator}` }).click()
    }
    const logo = { name: 'logo.jpg', mimeType: 'image/jpeg', buffer: await photo(20, 400, 120) }
    await page.locator('input[type="file"][aria-label="Logo"]').setInputFiles(logo)
    await page.getByRole('button', { name: 'Move Inês Okafor up' }).press('Enter')
    await lookAt(page, 'front-page-settings')
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await expect(page.getByText('Front page saved')).toBeVisible()
    await context.close()

    const plain = await browser.newContext({ javaScriptEnabled: false })
    const visitor = await plain.newPage()
    await expect(async () => {
      await visitor.goto('/')
      await expect(visitor.getByRole('heading', { level: 1, name: headline })).toBeVisible({ timeout: 1_000 })
    }).toPass({ timeout: 20_000 })
    await expect(visitor).toHaveTitle(`Ovation: ${headline.slice(0, -1)}`)
    await expect(visitor.getByText(message)).toBeVisible()
    const tiles = visitor.getByRole('region', { name: 'Featured creators' }).getByRole('article')
    await expect(visitor.getByRole('img', { name: 'Ovation' })).toBeVisible()
    await expect(tiles.nth(0)).toContainText('Inês Okafor')
    await expect(tiles.nth(1)).toContainText('Mara Lindqvist')
    const picture = visitor.getByRole('img', { name: 'A tram on a hill' })
    await expect(picture).toBeVisible()
    const answer = await visitor.request.get((await picture.getAttribute('src')) ?? '')
    expect(answer.status()).toBe(200)
    expect(answer.headers()['content-type']).toMatch(/^image\//)
    const button = visitor.getByRole('tabpanel').getByRole('button', { name: 'Sign In' })
    await expect(button).toHaveCSS('background-color', 'rgb(31, 95, 153)')
    await plain.close()
  })

  test('looks like the product’s own, with scripts, at every width [FIND-06]', async ({ browser }) => {
    const { context, page } = await open(browser)
    await page.goto('/auth')
    await expect(page.getByRole('heading', { level: 1, name: headline })).toBeVisible()
    await lookAt(page, 'front-page-operators')
    await context.close()
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
