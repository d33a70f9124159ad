import { type Browser, expect, type Page, test } from '@playwright/test'
import * as clients from './clients.ts'
import { demoPassword, open, openDemo, openTab, password, signIn } from './people.ts'

/**
 * Several users at once, each in their own browser, and one user with several tabs: updates reach everyone, and a lost connection loses
 * nothing.
 */
const mark = Date.now().toString(36)
const creatorName = `cora_${mark}`
const fanName = `finn_${mark}`
const phone = { width: 390, height: 844 }
const first = `The first one ${mark}`

test.beforeAll(async () => {
  const [creator, fan, admin] = await Promise.all([
    clients.signUp(creatorName, 'Cora Creator'),
    clients.signUp(fanName, 'Finn Fan'),
    clients.signIn('robin@ovation.example', demoPassword),
  ])
  await clients.apply(creator, 'Cora Creator')
  await admin.client
    .from('creator_applications')
    .update({ status: 'approved', reviewed_at: new Date().toISOString() })
    .eq('user_id', creator.userId)
    .throwOnError()
  const follow = { follower_id: fan.profileId, following_id: creator.profileId }
  await fan.client.from('follows').insert(follow).throwOnError()
  await creator.client
    .from('posts')
    .insert({ creator_id: creator.profileId, content: first, post_type: 'free' })
    .throwOnError()
})

test('a post by a creator who was offline reaches a fan, another creator, a visitor, and an admin, and disappears for all [GEN-03, HOME-04, POST-13, POST-20, POST-23, POST-52, D21, GEN-34]', async ({
  browser,
}) => {
  const text = `Fog over the harbour ${mark}`
  const [creator, fan] = await Promise.all([as(browser, creatorName), as(browser, fanName)])
  await expect(fan.getByRole('article').filter({ hasText: first })).toBeVisible()

  // On a phone without a connection: nothing is sent and nothing is lost, not even by a reload.
  await creator.setViewportSize(phone)
  await creator.getByRole('button', { name: 'Create Post' }).first().click()
  const composer = creator.getByRole('dialog', { name: 'Create Post', exact: true })
  await composer.getByLabel('Content').fill(text)
  await creator.context().setOffline(true)
  await composer.getByRole('button', { name: 'Create Post' }).click()
  await expect(creator.getByText('Upload Error')).toBeVisible()
  await creator.context().setOffline(false)
  await creator.reload()
  await creator.getByRole('button', { name: 'Create Post' }).first().click()
  await expect(composer.getByLabel('Content')).toHaveValue(text)
  await composer.getByRole('button', { name: 'Create Post' }).click()
  await expect(composer).toHaveCount(0)

  // The fan's open feed announces the post; comments on it reach the others.
  await fan.getByRole('button', { name: '1 new post' }).click()
  const post = fan.getByRole('article').filter({ hasText: text })
  await expect(post).toBeVisible()
  const address = (await post.locator('a[href^="/post/"]').first().getAttribute('href')) ?? ''
  const colleague = await openDemo(browser, 'tomas', address)
  await colleague.getByRole('textbox', { name: 'Add a comment' }).fill('From one to another')
  // It shows before it is stored. Others only see it once it is stored.
  const stored = colleague.waitForResponse(
    (answer) => answer.request().method() === 'POST' && /\/comments\b/.test(answer.url()),
  )
  await colleague.keyboard.press('Control+Enter')
  await expect(colleague.getByText('From one to another')).toBeVisible()
  await stored
  const { page: visitor } = await open(browser)
  // A visitor's page may be four seconds old.
  const opens = (page: Page, check: () => Promise<void>) =>
    expect(async () => {
      await page.goto(address)
      await check()
    }).toPass({ timeout: 30_000 })
  const shown = { timeout: 2_000 }
  await opens(visitor, () => expect(visitor.getByText('From one to another')).toBeVisible(shown))
  await expect(visitor.getByRole('article').filter({ hasText: text })).toBeVisible()

  // The fan opens the post and returns, then goes offline: the feed stays, and a like shows that it failed.
  await fan.goto(address)
  await fan.goBack()
  await expect(post).toBeVisible()
  const heart = post.getByRole('button', { name: /^Like, / })
  await expect(heart).toBeEnabled()
  await fan.context().setOffline(true)
  await heart.click()
  await expect(fan.getByText("Couldn't save your like")).toBeVisible()
  await expect(heart).toHaveAttribute('aria-pressed', 'false')
  await fan.context().setOffline(false)
  await heart.click()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')

  // Everyone reads the admin's note. Then the author deletes the post, and it disappears everywhere.
  const admin = await openDemo(browser, 'robin', address)
  await admin
    .getByRole('button', { name: /^More options for/ })
    .first()
    .click()
  await admin.getByRole('menuitem', { name: 'Note on this post' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel('Note', { exact: true }).fill('Taken with permission')
  await dialog.getByLabel('Show to everyone').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  for (const page of [fan, visitor])
    await opens(page, () => expect(page.getByText('Taken with permission')).toBeVisible(shown))
  const own = creator.getByRole('article').filter({ hasText: text })
  await own.getByRole('button', { name: /^More options for .+ post$/ }).click()
  await creator.getByRole('menuitem', { name: 'Delete' }).click()
  await creator.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(own).toHaveCount(0)
  for (const page of [fan, visitor]) {
    await opens(page, () => expect(page.getByRole('heading', { name: 'Post not found' })).toBeVisible(shown))
    await expect(page.getByText(text)).toHaveCount(0)
  }
  for (const page of [creator, fan, colleague, visitor, admin]) await page.context().close()
})

test('on a slow connection, actions show at once, and run once however often the user repeats them [POST-04]', async ({
  browser,
}) => {
  const service = clients.service()
  const { data: post } = await service.from('posts').select('id').eq('content', first).single().throwOnError()
  const page = await as(browser, fanName, `/post/${post.id}`)
  const heart = page.getByRole('button', { name: /^Like, / }).first()
  await expect(heart).toBeEnabled()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/rest/v1/**', async (route) => {
    if (route.request().method() !== 'GET') await held
    await route.continue()
  })
  await heart.click()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  const text = `Said once ${mark}`
  await page.getByRole('textbox', { name: 'Add a comment' }).fill(text)
  await page.keyboard.press('Control+Enter')
  await page.keyboard.press('Control+Enter')
  release()
  await expect(page.getByText(text)).toHaveCount(1)
  const count = async (table: string) =>
    (await service.from(table).select('id', { count: 'exact' }).eq('post_id', post.id).throwOnError()).count
  await expect.poll(async () => [await count('comments'), await count('post_likes')]).toEqual([1, 1])
  await page.reload()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText(text)).toHaveCount(1)
  await page.context().close()
})

test("a user's tabs stay in sync, and a session that ends while a form is open loses no text [AUTH-24, AUTH-26, GEN-22, MSG-10, D35]", async ({
  browser,
}) => {
  const first = await as(browser, fanName)
  const second = await openTab(first.context())
  await second.goto('/explore')
  const badge = (page: Page) => page.getByRole('link', { name: /^Messages/ }).first()
  const creator = await clients.signIn(`${creatorName}@example.com`, password)
  const fan = await clients.signIn(`${fanName}@example.com`, password)
  const write = { sender_id: creator.profileId, recipient_id: fan.profileId, content: 'Are you coming on Friday?' }
  await creator.client.from('messages').insert(write).throwOnError()
  for (const page of [first, second]) await expect(badge(page)).toHaveAccessibleName(/1 unread/)
  await first.goto(`/messages?with=${creatorName}`)
  await expect(first.getByRole('log').getByText(write.content)).toBeVisible()
  for (const page of [first, second]) await expect(badge(page)).not.toHaveAccessibleName(/unread/)

  // The session ends elsewhere. This tab notices when it becomes visible and has to refresh its token.
  const answer = 'I am, with two friends'
  const box = first.getByRole('textbox', { name: /^Message to/ })
  await box.fill(answer)
  await fan.client.auth.signOut({ scope: 'global' })
  await first.evaluate(`for (const key of Object.keys(localStorage)) if (key.endsWith('-auth-token'))
    localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key)), expires_at: 1 }))`)
  await first.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await expect(first).toHaveURL(/\/auth\?next=/)
  await expect(second.getByRole('button', { name: 'Account menu' })).toHaveCount(0)
  const form = first.getByRole('tabpanel', { name: 'Sign In' })
  await form.getByLabel('Email').fill(`${fanName}@example.com`)
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(first).toHaveURL(/\/messages\?with=/)
  await expect(second.getByRole('button', { name: 'Account menu' })).toBeVisible()
  await expect(box).toHaveValue(answer)
  await first.getByRole('button', { name: 'Send' }).click()
  await expect(first.getByRole('log').getByText(answer)).toBeVisible()
  await first.context().close()
})

async function as(browser: Browser, username: string, path = '/'): Promise<Page> {
  const { page } = await open(browser)
  await signIn(page, `${username}@example.com`, password, path)
  return page
}
