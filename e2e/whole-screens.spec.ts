import { type Browser, type BrowserContext, expect, test } from '@playwright/test'
import { lookAt, noteRefusals } from './look.ts'
import { fillOperatorScreens } from './operator-rows.ts'
import { demoPassword, signIn, signInUnseen } from './people.ts'
import { readSecrets } from './start-product.ts'

/**
 * Every screen, as the demo's people see it: nothing for axe to report, nothing wider than the window, no error in the console, at
 * three widths, light and dark. With `LOOK=1` pictures stay in test-output/screenshots, to be looked at.
 *
 * By its name it is the last: these are many and short, and keep both workers busy to the end, whoever comes out of a long journey first.
 */
type Screen = { readonly name: string; readonly path: string; readonly ids: string }

const screens: Record<'visitor' | 'lena' | 'mara' | 'robin' | 'sam', readonly Screen[]> = {
  visitor: [
    { name: 'auth', path: '/auth', ids: '[AUTH-01]' },
    { name: 'explore', path: '/explore', ids: '[EXPL-01]' },
    { name: 'explore-empty', path: '/explore?q=nobody-of-that-name', ids: '[EXPL-08]' },
    { name: 'search', path: '/search?q=mara', ids: '[SRCH-01]' },
    { name: 'search-empty', path: '/search?q=zzzz', ids: '[SRCH-07]' },
    { name: 'profile', path: '/profile/mara', ids: '[PROF-01]' },
    { name: 'profile-media', path: '/profile/mara?tab=media', ids: '[PROF-14]' },
    { name: 'profile-about', path: '/profile/mara?tab=about', ids: '[PROF-14]' },
    { name: 'premium-signed-out', path: '/protected-content', ids: '[PREM-04]' },
    { name: 'privacy-policy', path: '/privacy-policy', ids: '[STAT-01]' },
    { name: 'terms-of-service', path: '/terms-of-service', ids: '[STAT-04]' },
    { name: 'support', path: '/support', ids: '[SUPP-01]' },
    { name: 'not-found', path: '/nothing-here', ids: '[404-01]' },
  ],
  lena: [
    { name: 'home', path: '/', ids: '[HOME-01]' },
    { name: 'profile-subscribed', path: '/profile/mara', ids: '[PROF-16]' },
    { name: 'notifications', path: '/notifications', ids: '[NOTI-01]' },
    { name: 'messages-empty', path: '/messages', ids: '[MSG-16]' },
    { name: 'thread-new', path: '/messages?with=mara', ids: '[MSG-04]' },
    { name: 'subscriptions', path: '/dashboard/subscriptions', ids: '[D29]' },
    { name: 'premium', path: '/protected-content', ids: '[PREM-01]' },
    { name: 'subscription-unconfirmed', path: '/subscription-success?session_id=cs_none', ids: '[SUB-07]' },
    { name: 'referrals', path: '/referrals', ids: '[REF-01]' },
    { name: 'saved-empty', path: '/saved', ids: '[DATA-37]' },
    { name: 'become-creator', path: '/dashboard', ids: '[DASH-07]' },
    { name: 'verification-form', path: '/creator-verification', ids: '[VER-01]' },
  ],
  sam: [
    { name: 'home-locked', path: '/', ids: '[POST-10]' },
    { name: 'thread', path: '/messages?with=mara', ids: '[MSG-07]' },
    { name: 'premium-required', path: '/protected-content', ids: '[SUB-18]' },
    { name: 'plans', path: '/profile/mara?tab=subscribe', ids: '[PROF-15]' },
  ],
  mara: [
    { name: 'dashboard', path: '/dashboard', ids: '[DASH-01]' },
    { name: 'dashboard-subscribers', path: '/dashboard?tab=subscribers', ids: '[DASH-03]' },
    { name: 'dashboard-earnings', path: '/dashboard?tab=earnings', ids: '[DASH-12]' },
    { name: 'dashboard-content', path: '/dashboard?tab=content', ids: '[DASH-03]' },
    { name: 'dashboard-monetization', path: '/dashboard?tab=monetization', ids: '[DASH-03]' },
    { name: 'dashboard-referrals', path: '/dashboard?tab=referrals', ids: '[DASH-16]' },
    { name: 'referrals', path: '/referrals', ids: '[REF-01]' },
    { name: 'private-sessions-offers', path: '/private-sessions?tab=offers', ids: '[PRIV-02]' },
    { name: 'subscription-products', path: '/subscription-products', ids: '[PROD-01]' },
    { name: 'creator-onboarding', path: '/creator-onboarding', ids: '[ONB-01]' },
    { name: 'verification-approved', path: '/creator-verification', ids: '[VER-11]' },
    { name: 'own-profile', path: '/profile', ids: '[PROF-08]' },
    { name: 'creator-notifications', path: '/notifications', ids: '[NOTI-13]' },
  ],
  robin: [
    { name: 'admin', path: '/admin', ids: '[ADM-01]' },
    { name: 'admin-users', path: '/admin?tab=users', ids: '[ADM-16]' },
    { name: 'admin-support', path: '/admin?tab=support', ids: '[ADM-22]' },
    { name: 'admin-notifications', path: '/admin?tab=notifications', ids: '[ADM-27]' },
    { name: 'admin-polls', path: '/admin?tab=polls', ids: '[ADM-38]' },
    { name: 'admin-reports', path: '/admin/reports', ids: '[D43]' },
    { name: 'admin-money', path: '/admin/money', ids: '[GEN-09]' },
    { name: 'admin-audit', path: '/admin/audit', ids: '[DATA-25]' },
    { name: 'admin-health', path: '/admin/health', ids: '[GEN-05]' },
    { name: 'stripe-test', path: '/stripe-test', ids: '[TEST-01]' },
  ],
}

for (const [person, list] of Object.entries(screens)) {
  test.describe(`as ${person}`, () => {
    // They only look, so two at a time do not meet.
    test.describe.configure({ mode: 'parallel' })
    let context: BrowserContext
    test.beforeAll(async ({ browser }, { workerIndex }) => {
      if (person === 'robin') await fillOperatorScreens(String(workerIndex))
      context = await enter(browser, person)
    })
    test.afterAll(() => context.close())

    for (const { name, path, ids } of list) {
      test(`${name} is whole at every width, light and dark ${ids}`, async () => {
        const page = await context.newPage()
        const complaints: string[] = []
        page.on('pageerror', (error) => complaints.push(String(error)))
        page.on('console', (message) => {
          // The browser logs each answer of 4xx by itself; an unknown address is meant to be one.
          if (message.type() === 'error' && !(name === 'not-found' && /404/.test(message.text())))
            complaints.push(message.text())
        })
        await lookAt(page, name, { open: () => page.goto(path) })
        // The screen itself, not the way to sign in or an apology.
        const { pathname, search } = new URL(page.url())
        expect(pathname + search).toBe(path)
        await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0)
        expect(complaints).toEqual([])
        await page.close()
      })
    }
  })
}

test('the creator’s dialogs are whole at every width, light and dark [PROD-02, DASH-03]', async ({ browser }) => {
  const context = await enter(browser, 'mara')
  const page = await context.newPage()
  const button = (name: RegExp) => page.getByRole('button', { name }).first()
  const dialogs = [
    ['/subscription-products', () => button(/^Edit /).click(), 'edit-product'],
    ['/dashboard?tab=subscribers', () => button(/^Message/).click(), 'group-message'],
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

test('the operator’s dialogs, menus and longest spans are whole at every width, light and dark [ADM-05, ADM-11, ADM-19, D43, DATA-25]', async ({
  browser,
}, { workerIndex }) => {
  await fillOperatorScreens(`d${workerIndex}`)
  const context = await enter(browser, 'robin')
  const page = await context.newPage()
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
  const answer = await page.request.get(`/rest/v1/profiles?${query}`, { headers: { apikey: anonKey } })
  expect(answer.status(), await answer.text()).toBe(200)
  const creators = (await answer.json()) as { username: string; display_name: string; total_posts: number }[]
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

async function enter(browser: Browser, person: string): Promise<BrowserContext> {
  const context = await browser.newContext()
  await context.addInitScript(noteRefusals)
  if (person === 'visitor') return context
  await signInUnseen(context, `${person}@ovation.example`, demoPassword)
  return context
}
