import { expect, type Page, test } from '@playwright/test'
import * as clients from './clients.ts'
import { lookAt } from './look.ts'
import { open, openDemo } from './people.ts'

/** A creator makes their profile their own, and a visitor sees it. Uses the demo's Pia, whom no other spec uses. */
test.describe.configure({ mode: 'serial' })
test.describe('a creator’s own profile', () => {
  let page: Page
  test.beforeAll(async ({ browser }) => {
    page = await openDemo(browser, 'pia', '/settings')
  })
  test.afterAll(() => page.context().close())

  test('a creator sets the color, welcome, featured post, and order of tabs with the keyboard [PAGE-01]', async () => {
    const form = page.getByRole('form', { name: 'Your page' })
    await form.getByLabel('Accent color').fill('#ffd84d')
    await form.getByLabel('Welcome message').fill('New here? Start with the island.')
    await form.getByLabel('Featured post').selectOption({ label: 'The island, day and night' })
    await form.getByRole('button', { name: 'Move About up' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await form.getByRole('switch', { name: 'Show how many subscribers I have' }).press('Space')
    await form.getByRole('button', { name: 'Save page' }).press('Enter')
    await expect(page.getByText('Your page is saved')).toBeVisible()
  })

  test('a creator adds links, and sees what verifies them [PAGE-01]', async () => {
    const form = page.getByRole('form', { name: 'Your links' })
    for (const [place, label, address] of [
      [1, 'Studio', 'studio.example/pia'],
      [2, 'Shop', 'https://shop.example/'],
    ] as const) {
      await form.getByRole('button', { name: 'Add link' }).click()
      const link = form.getByRole('group', { name: `Link ${place}` })
      await link.getByLabel('Label').fill(label)
      await link.getByLabel('Address').fill(address)
    }
    await form.getByRole('button', { name: 'Save links' }).click()
    await expect(page.getByText('Links saved')).toBeVisible()
    await expect(page.getByText('https://studio.example/pia')).toBeVisible()
    await expect(page.getByText(/^<a rel="me" href="http.*\/@pia">/)).toBeVisible()
    await page.reload()
    await expect(form.getByRole('group', { name: 'Link 2' }).getByLabel('Address')).toHaveValue('https://shop.example/')
    await lookAt(page, 'settings-page')
  })

  test('a visitor sees all of it without scripts [PAGE-01, FIND-01]', async ({ browser }) => {
    // The server verifies links of public sites only.
    const { error } = await clients
      .service()
      .from('profile_links')
      .update({ verified_at: new Date().toISOString() })
      .eq('label', 'Studio')
    expect(error).toBeNull()
    const context = await browser.newContext({ javaScriptEnabled: false })
    const visitor = await context.newPage()
    await visitor.goto('/profile/pia')
    await expect(visitor.getByRole('heading', { level: 1, name: /Pia/ })).toBeVisible()
    await expect(visitor.getByText('New here? Start with the island.')).toBeVisible()
    const links = visitor.getByRole('list', { name: 'Links' })
    await expect(links.getByRole('link', { name: 'Studio' })).toHaveAttribute('rel', /^me noopener/)
    await expect(
      links.getByRole('img', { name: 'Verified: studio.example/pia links back to this profile' }),
    ).toBeVisible()
    await expect(links.getByRole('img')).toHaveCount(1)
    await expect(visitor.locator('head link[rel="me"]')).toHaveCount(2)
    await expect(visitor.getByRole('tab')).toHaveText(['Posts', 'About', 'Media', 'Subscribe'])
    const first = visitor
      .getByRole('article')
      .filter({ has: visitor.getByRole('heading', { level: 2 }) })
      .first()
    await expect(first.getByText('Featured')).toBeVisible()
    await expect(first.getByRole('heading', { name: 'The island, day and night' })).toBeVisible()
    await context.close()
  })

  test('the color is readable in light and dark, and only on that profile [PAGE-01]', async ({ browser }) => {
    const { context, page: visitor } = await open(browser)
    const differences: string[] = []
    visitor.on('console', (message) => message.type() === 'debug' && differences.push(message.text()))
    await visitor.goto('/profile/pia')
    await expect(visitor.getByRole('heading', { level: 1, name: /Pia/ })).toBeVisible()
    expect(differences).toEqual([])
    const button = visitor.getByRole('link', { name: /^(Subscribe|Start)/ }).first()
    await visitor.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await expect(button).toHaveCSS('background-color', 'rgb(255, 216, 77)')
    await visitor.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await expect(button).not.toHaveCSS('background-color', 'rgb(255, 216, 77)')
    await lookAt(visitor, 'profile-own-look')
    await visitor.goto('/profile/tomas')
    await expect(visitor.getByRole('heading', { level: 1, name: /Tomás/ })).toBeVisible()
    await expect(visitor.locator('[style*="--light-fill"]')).toHaveCount(0)
    await visitor.goto('/profile/pia?tab=subscribe')
    await expect(visitor.getByRole('list', { name: 'Subscription facts' })).toContainText(/^\d+ subscribers?$/)
    await context.close()
  })
})
