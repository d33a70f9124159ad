import { type Browser, type BrowserContext, expect, test } from '@playwright/test'
import { lookAt, primaryActions, recordCspViolations } from './look.ts'
import { fillOperatorScreens } from './operator-rows.ts'
import { demoPassword, openTab, signIn, signInContext } from './people.ts'
import { readSecrets } from './start-product.ts'

/**
 * Every screen, as the demo's users see it, at three widths, light and dark: no axe violations, no overflow, one primary action at most,
 * and no errors in the console. With `LOOK=1`, it takes screenshots into test-output/screenshots. It is last alphabetically, because many short tests keep
 * both workers busy to the end.
 */
type Screen = { readonly name: string; readonly path: string }

const screens: Record<'visitor' | 'lena' | 'mara' | 'robin' | 'sam', readonly Screen[]> = {
  visitor: [
    { name: 'auth', path: '/auth' },
    { name: 'explore', path: '/explore' },
    { name: 'explore-empty', path: '/explore?q=nobody-of-that-name' },
    { name: 'search', path: '/search?q=mara' },
    { name: 'search-empty', path: '/search?q=zzzz' },
    { name: 'search-posts', path: '/search?q=valley&in=posts' },
    { name: 'search-tags', path: '/search?q=photo&in=tags' },
    { name: 'tag', path: '/tag/light' },
    { name: 'tag-empty', path: '/tag/nobodyuses' },
    { name: 'tag-comments-empty', path: '/tag/nobodyuses?show=comments' },
    { name: 'profile', path: '/profile/mara' },
    { name: 'profile-media', path: '/profile/mara?tab=media' },
    { name: 'profile-about', path: '/profile/mara?tab=about' },
    { name: 'stories', path: '/stories/tomas' },
    { name: 'stories-gone', path: '/stories/noor' },
    { name: 'premium-signed-out', path: '/protected-content' },
    { name: 'privacy-policy', path: '/privacy-policy' },
    { name: 'terms-of-service', path: '/terms-of-service' },
    { name: 'support', path: '/support' },
    { name: 'gift-unknown', path: '/gift/nothing' },
    { name: 'not-found', path: '/nothing-here' },
  ],
  lena: [
    { name: 'home', path: '/' },
    { name: 'profile-subscribed', path: '/profile/mara' },
    { name: 'notifications', path: '/notifications' },
    { name: 'messages-empty', path: '/messages' },
    { name: 'thread-new', path: '/messages?with=mara' },
    { name: 'subscriptions', path: '/dashboard/subscriptions' },
    { name: 'premium', path: '/protected-content' },
    { name: 'subscription-unconfirmed', path: '/subscription-success?session_id=cs_none' },
    { name: 'referrals', path: '/referrals' },
    { name: 'saved-empty', path: '/saved' },
    { name: 'library-empty', path: '/library?q=zzzz' },
    { name: 'become-creator', path: '/dashboard' },
    { name: 'verification-form', path: '/creator-verification' },
  ],
  sam: [
    { name: 'home-locked', path: '/' },
    { name: 'thread', path: '/messages?with=mara' },
    { name: 'premium-required', path: '/protected-content' },
    { name: 'plans', path: '/profile/mara?tab=subscribe' },
  ],
  mara: [
    { name: 'dashboard', path: '/dashboard' },
    { name: 'dashboard-subscribers', path: '/dashboard?tab=subscribers' },
    { name: 'dashboard-fans', path: '/dashboard?tab=fans' },
    { name: 'dashboard-flows', path: '/dashboard?tab=flows' },
    { name: 'dashboard-links', path: '/dashboard?tab=links' },
    { name: 'dashboard-flow', path: '/dashboard?tab=flows&flow=new&from=win_back' },
    { name: 'dashboard-analytics-funnel', path: '/dashboard?tab=analytics&view=funnel&period=90' },
    { name: 'dashboard-analytics-content', path: '/dashboard?tab=analytics&view=content' },
    { name: 'dashboard-analytics-messages', path: '/dashboard?tab=analytics&view=content&kind=messages' },
    { name: 'dashboard-messages', path: '/dashboard?tab=messages' },
    { name: 'dashboard-messages-scheduled', path: '/dashboard?tab=messages&show=scheduled' },
    { name: 'dashboard-messages-drafts', path: '/dashboard?tab=messages&show=draft' },
    { name: 'mass-message', path: '/dashboard/messages/new?to=current' },
    { name: 'dashboard-analytics', path: '/dashboard?tab=analytics&period=90' },
    { name: 'dashboard-analytics-subscribers', path: '/dashboard?tab=analytics&view=subscribers&period=365' },
    { name: 'dashboard-analytics-retention', path: '/dashboard?tab=analytics&view=retention' },
    { name: 'dashboard-analytics-value', path: '/dashboard?tab=analytics&view=value' },
    { name: 'dashboard-earnings', path: '/dashboard?tab=earnings' },
    { name: 'dashboard-content', path: '/dashboard?tab=content' },
    { name: 'dashboard-comments', path: '/dashboard?tab=comments' },
    { name: 'dashboard-products', path: '/dashboard?tab=products' },
    { name: 'dashboard-product', path: '/dashboard?tab=products&product=new' },
    { name: 'dashboard-goals', path: '/dashboard?tab=goals' },
    { name: 'dashboard-goal', path: '/dashboard?tab=goals&goal=new' },
    { name: 'dashboard-monetization', path: '/dashboard?tab=monetization' },
    { name: 'dashboard-referrals', path: '/dashboard?tab=referrals' },
    { name: 'referrals', path: '/referrals' },
    { name: 'private-sessions-offers', path: '/private-sessions?tab=offers' },
    { name: 'private-sessions-availability', path: '/private-sessions?tab=availability' },
    { name: 'vault', path: '/vault' },
    { name: 'inbox', path: '/messages' },
    { name: 'inbox-thread', path: '/messages?with=lena' },
    { name: 'subscription-products', path: '/subscription-products' },
    { name: 'creator-onboarding', path: '/creator-onboarding' },
    { name: 'verification-approved', path: '/creator-verification' },
    { name: 'own-profile', path: '/profile' },
    { name: 'creator-notifications', path: '/notifications' },
  ],
  robin: [
    { name: 'admin', path: '/admin' },
    { name: 'admin-users', path: '/admin?tab=users' },
    { name: 'admin-support', path: '/admin?tab=support' },
    { name: 'admin-notifications', path: '/admin?tab=notifications' },
    { name: 'admin-polls', path: '/admin?tab=polls' },
    { name: 'admin-front-page', path: '/admin?tab=front-page' },
    { name: 'admin-overview', path: '/admin/overview' },
    { name: 'admin-payments', path: '/admin/payments' },
    { name: 'admin-reports', path: '/admin/reports' },
    { name: 'admin-money', path: '/admin/money' },
    { name: 'admin-audit', path: '/admin/audit' },
    { name: 'admin-health', path: '/admin/health' },
    { name: 'stripe-test', path: '/stripe-test' },
  ],
}

for (const [username, list] of Object.entries(screens)) {
  test.describe(`as ${username}`, () => {
    // They only read, so two can run at a time.
    test.describe.configure({ mode: 'parallel' })
    let context: BrowserContext
    test.beforeAll(async ({ browser }, { workerIndex }) => {
      if (username === 'robin') await fillOperatorScreens(String(workerIndex))
      context = await enter(browser, username)
    })
    test.afterAll(() => context.close())

    for (const { name, path } of list) {
      test(`${name} fits, passes axe, and has one primary action at most, at every width, light and dark [LOOP-28]`, async () => {
        const page = await openTab(context)
        const errors: string[] = []
        page.on('pageerror', (error) => errors.push(String(error)))
        page.on('console', (message) => {
          // Browsers log every 4xx response, and an unknown URL is supposed to be one.
          if (message.type() === 'error' && !(name === 'not-found' && /404/.test(message.text())))
            errors.push(message.text())
        })
        await lookAt(page, name, { open: () => page.goto(path) })
        // The screen itself, not the sign-in screen or an error.
        const { pathname, search } = new URL(page.url())
        expect(pathname + search).toBe(path)
        await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0)
        expect(errors).toEqual([])
        await page.close()
      })
    }
  })
}

test('crimson fills the action of a screen and of a dialog, and Create beside a creator’s screens [LOOP-28]', async ({
  browser,
}) => {
  const context = await enter(browser, 'mara')
  const page = await openTab(context)
  await page.goto('/subscription-products')
  await expect(page.getByRole('button', { name: 'Create plan' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Promotion codes' })).toBeVisible()
  expect(await primaryActions(page)).toEqual({ frame: ['Create'], screen: ['Create plan'], dialogs: [] })
  await page
    .getByRole('button', { name: /^Edit / })
    .first()
    .click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Save' })).toBeVisible()
  expect(await primaryActions(page)).toEqual({ frame: ['Create'], screen: ['Create plan'], dialogs: [['Save']] })
  await context.close()
})

test('the entries of the admin rail are at the same place on every admin screen [LOOP-24]', async ({ browser }) => {
  const context = await enter(browser, 'robin')
  const page = await openTab(context)
  const seen: Record<string, unknown> = {}
  for (const path of ['/admin', '/admin?tab=users', '/admin/overview', '/admin/payments']) {
    await page.goto(path)
    const rail = page.getByRole('navigation', { name: 'Administration' })
    const entries = rail.locator('a, [role="tab"]')
    for (const name of [/^Pending Applications \(\d+\)$/, /^All Users \(\d+\)$/, /^Support Requests \(\d+\)$/])
      await expect(entries.filter({ hasText: name })).toBeVisible()
    const boxes = await Promise.all((await entries.all()).map((entry) => entry.boundingBox()))
    seen[path] = boxes.map((box) => [Math.round(box?.y ?? 0), Math.round(box?.height ?? 0)])
  }
  const [first, ...others] = Object.values(seen)
  expect(first).toHaveLength(14)
  for (const other of others) expect(other).toEqual(first)
  await context.close()
})

test('the dialog before a link to another site fits and passes axe at every width, light and dark [LOOP-13]', async ({
  browser,
}) => {
  const context = await enter(browser, 'visitor')
  const page = await openTab(context)
  await page.goto('/profile/mara')
  // In the rail, whose code comes after the app's.
  await page.getByRole('link', { name: 'example.com/mara' }).click()
  await expect(page.getByRole('dialog', { name: 'Leave this site?' })).toBeVisible()
  await lookAt(page, 'leave-site', { over: true })
  await context.close()
})

test('the creator’s dialogs fit and pass axe at every width, light and dark', async ({ browser }) => {
  const context = await enter(browser, 'mara')
  const page = await openTab(context)
  const button = (name: RegExp) => page.getByRole('button', { name }).first()
  const dialogs = [
    ['/subscription-products', () => button(/^Edit /).click(), 'edit-product'],
    ['/dashboard?tab=earnings', () => button(/^Refund /).click(), 'refund'],
  ] as const
  for (const [path, open, name] of dialogs) {
    await page.goto(path)
    await open()
    await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible()
    await lookAt(page, name)
  }
  await context.close()
})

test('the admin’s dialogs and menus, and a year of earnings, fit and pass axe at every width, light and dark', async ({
  browser,
}, { workerIndex }) => {
  await fillOperatorScreens(`d${workerIndex}`)
  const context = await enter(browser, 'robin')
  const page = await openTab(context)
  const button = (name: RegExp) => page.getByRole('button', { name }).first()
  const close = async () => {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.goto('/admin')
  await button(/^View details for Maximiliane/).click()
  await expect(page.getByRole('img', { name: 'ID Back' })).toBeVisible()
  await lookAt(page, 'admin-details')
  await close()
  await page.goto('/admin?tab=users')
  await button(/^Actions for Maximiliane/).click()
  await expect(page.getByRole('menuitem', { name: 'Edit email' })).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.getByLabel('Type DELETE to confirm').fill('DELETE')
  await lookAt(page, 'admin-delete')
  await close()
  await page.goto('/admin/reports')
  await button(/^Show details: Message by Rudi Rude/).click()
  await button(/^Take down: Message by Rudi Rude/).click()
  await lookAt(page, 'admin-take-down')
  await page.goto('/admin/money')
  await page.getByText('12 months', { exact: true }).click()
  await lookAt(page, 'admin-money-year')
  await context.close()
})

test('the demo’s creators are there, and the first of them is who /protected-content shows [GEN-17]', async ({
  page,
}) => {
  const { anonKey } = readSecrets()
  const query = 'select=username,display_name,bio,avatar_url,total_posts&is_verified=eq.true&order=created_at'
  const response = await page.request.get(`/rest/v1/profiles?${query}`, { headers: { apikey: anonKey } })
  expect(response.status(), await response.text()).toBe(200)
  const creators = (await response.json()) as { username: string; display_name: string; total_posts: number }[]
  expect(creators[0]?.username).toBe('mara')
  for (const username of ['mara', 'tomas', 'ines', 'juno', 'bea', 'noor']) {
    const creator = creators.find((candidate) => candidate.username === username)
    expect(creator).toMatchObject({
      display_name: expect.any(String),
      bio: expect.any(String),
      avatar_url: expect.stringMatching(/^\/storage\/v1\//),
    })
    expect(creator?.total_posts).toBeGreaterThan(0)
  }
  await signIn(page, 'lena@ovation.example', demoPassword, '/protected-content')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(String(creators[0]?.display_name))
})

async function enter(browser: Browser, username: string): Promise<BrowserContext> {
  const context = await browser.newContext()
  await context.addInitScript(recordCspViolations)
  if (username === 'visitor') return context
  await signInContext(context, `${username}@ovation.example`, demoPassword)
  return context
}
