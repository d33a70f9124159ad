import { expect, type Page, test } from '@playwright/test'
import * as clients from './clients.ts'
import { demoPassword, openDemo } from './people.ts'

/* LOOP-22, with the real service worker. */
test.use({ serviceWorkers: 'allow' })

/** Waits until the service worker has its files, and what was read of these kinds is kept. */
async function untilKept(page: Page, ...kinds: string[]) {
  await expect
    .poll(() => page.evaluate<boolean>('Boolean(navigator.serviceWorker.controller)'), { timeout: 60_000 })
    .toBe(true)
  for (const kind of kinds)
    await expect.poll(() => addressesKept(page)).toContainEqual(expect.stringContaining(`/kept/${kind}/`))
}

/** Everything in the browser's caches besides the release's own files. */
const addressesKept = (page: Page) =>
  page.evaluate<string[]>(`(async () => {
    const found = []
    for (const name of await caches.keys())
      if (!name.startsWith('release:'))
        found.push(...(await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname))
    return found
  })()`)

/** All that the caches contain besides scripts, as text, and the names of all databases. */
const contentsOf = (page: Page) =>
  page.evaluate<string>(`(async () => {
    let text = JSON.stringify(await indexedDB.databases())
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        text += request.url + ' '
        if (!request.url.includes('/assets/')) text += await (await cache.match(request)).text()
      }
    }
    return text
  })()`)

const line = (page: Page) => page.getByText(/^You're offline\. Last updated /)

test('home, a thread, and a purchased post open offline, say so, refresh by themselves, and are gone after sign-out [LOOP-22]', async ({
  browser,
}) => {
  const stamp = Date.now().toString(36)
  const creator = await clients.signIn('mara@ovation.example', demoPassword)
  const { data: bought } = await creator.client
    .from('posts')
    .insert({ creator_id: creator.profileId, content: `Behind the paywall ${stamp}`, post_type: 'ppv', ppv_price: 500 })
    .select('id')
    .single()
    .throwOnError()
  const reader = await clients.signIn('sam@ovation.example', demoPassword)
  await clients.service().from('purchases').insert({ post_id: bought?.id, buyer_id: reader.profileId }).throwOnError()

  const page = await openDemo(browser, 'sam', `/post/${bought?.id}`)
  const post = page.getByText(`Behind the paywall ${stamp}`)
  await expect(post).toBeVisible()
  await untilKept(page, 'viewer', 'posts')
  await page.goto('/messages?with=mara')
  const message = page.getByRole('log').locator('li').first()
  await expect(message).toBeVisible()
  await untilKept(page, 'conversations', 'threads', 'people')
  await page.goto('/')
  await expect(page.getByRole('article').first()).toBeVisible()
  await untilKept(page, 'feed')
  expect(await contentsOf(page)).not.toMatch(/token=|\/object\/sign\/|\/storage\/v1\/links\//)

  await page.context().setOffline(true)
  await page.reload()
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(line(page)).toBeVisible()
  await page.goto('/messages?with=mara')
  await expect(message).toBeVisible()
  await expect(line(page)).toBeVisible()
  await page.goto(`/post/${bought?.id}`)
  await expect(post).toBeVisible()
  await expect(line(page)).toBeVisible()
  await page.goto('/notifications')
  await expect(
    page
      .getByText("You're offline. This loads when you're back.")
      .or(page.getByRole('heading', { name: "You're offline" }))
      .first(),
  ).toBeVisible()

  await page.goto(`/post/${bought?.id}`)
  await expect(line(page)).toBeVisible()
  await creator.client
    .from('posts')
    .update({ content: `Behind the paywall ${stamp}, revised` })
    .eq('id', bought?.id)
    .throwOnError()
  await page.context().setOffline(false)
  await expect(page.getByText(`Behind the paywall ${stamp}, revised`)).toBeVisible()
  await expect(line(page)).toHaveCount(0)

  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL(/\/auth/)
  await expect.poll(() => addressesKept(page)).toEqual([])
  expect(await contentsOf(page)).not.toContain(stamp)
  await page.context().close()
})

test('signing out works offline, and nobody can read on [LOOP-22]', async ({ browser }) => {
  const page = await openDemo(browser, 'sam', '/')
  await expect(page.getByRole('article').first()).toBeVisible()
  await untilKept(page, 'viewer', 'feed')
  await page.context().setOffline(true)
  await page.reload()
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL(/\/auth/)
  await expect.poll(() => addressesKept(page)).toEqual([])
  await page.goto('/')
  await expect(page.getByRole('heading', { name: "You're offline" })).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(0)
  await page.context().close()
})
