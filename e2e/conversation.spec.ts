import { type Browser, expect, type Page, test } from '@playwright/test'
import * as clients from './clients.ts'
import { choose, press, type } from './keyboard.ts'
import { lookAt } from './look.ts'
import { demoPassword, open, openDemo, signUp } from './people.ts'

/** Tags, mentions, and comments with replies, likes, and rules (TALK-01, TALK-02, TALK-03). */

/** Publishes a post of a demo creator. */
async function publish(username: string, content: string): Promise<string> {
  const { client, profileId } = await clients.signIn(`${username}@ovation.example`, demoPassword)
  const { data } = await client
    .from('posts')
    .insert({ creator_id: profileId, title: 'Talk of the town', content })
    .select('id')
    .single()
    .throwOnError()
  return String(data.id)
}
const section = (page: Page) => page.getByRole('region', { name: 'Comments' })
const addFan = (browser: Browser, username: string, displayName: string, path: string) =>
  signUp(browser, { username, displayName, path })

test('tags lead to their page, also without an account, and mentions to profiles [TALK-01]', async ({ browser }) => {
  const { page, context } = await open(browser)
  const id = await publish('tomas', 'Bread with @mara today. #slowbread')
  await page.goto(`/post/${id}`)
  await expect(page.getByRole('link', { name: '@mara' })).toHaveAttribute('href', '/profile/mara')
  await page.getByRole('link', { name: '#slowbread' }).click()
  await expect(page.getByRole('heading', { name: '#slowbread', level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Talk of the town' })).toBeVisible()
  await lookAt(page, 'tag')
  const html = await (await page.request.get('/tag/SlowBread')).text()
  expect(html).toMatch(/rel="canonical" href="[^"]+\/tag\/slowbread"/)
  expect(html).toContain('Talk of the town')
  expect(html).not.toContain('noindex')
  expect(await (await page.request.get('/tag/nobodyuses')).text()).toContain('noindex')
  const mara = await openDemo(browser, 'mara', '/notifications')
  await expect(mara.getByText(/ mentioned you$/).first()).toBeVisible()
  await mara.context().close()
  await context.close()
})

test('a fan comments, replies, and likes by keyboard alone, with suggestions [TALK-01, TALK-02]', async ({
  browser,
}) => {
  const id = await publish('tomas', 'Soup again.')
  const first = await addFan(browser, 'keyfan', 'Kay Fan', `/post/${id}`)
  await type(first.page, section(first.page).getByRole('textbox', { name: 'Add a comment' }), 'Thanks @tom')
  await expect(first.page.getByRole('option').first()).toBeVisible()
  await lookAt(first.page, 'suggestions', { over: true })
  await first.page.keyboard.press('Enter')
  await expect(section(first.page).getByRole('textbox')).toHaveValue('Thanks @tomas ')
  await first.page.keyboard.type('#soupday')
  await first.page.keyboard.press('Control+Enter')
  await expect(section(first.page).getByRole('button', { name: 'Delete your comment' })).toBeVisible()

  const second = await addFan(browser, 'replyfan', 'Ray Reply', `/post/${id}`)
  const comments = section(second.page)
  await press(second.page, comments.getByRole('button', { name: "Like Kay Fan's comment" }))
  await expect(comments.getByRole('button', { name: "Like Kay Fan's comment" })).toHaveText('1')
  await press(second.page, comments.getByRole('button', { name: 'Reply to Kay Fan' }))
  await expect(comments.getByRole('textbox', { name: 'Reply to Kay Fan' })).toBeFocused()
  await second.page.keyboard.type('So do I')
  await second.page.keyboard.press('Control+Enter')
  await expect(comments.getByRole('list', { name: 'Replies to Kay Fan' }).getByText('So do I')).toBeVisible()
  // The first fan's screen shows both by itself.
  await expect(section(first.page).getByText('So do I')).toBeVisible({ timeout: 15_000 })
  await lookAt(second.page, 'replies')
  await first.page.goto('/notifications')
  await expect(first.page.getByText('Ray Reply replied to your comment')).toBeVisible()
  await expect(first.page.getByText('Ray Reply liked your comment')).toBeVisible()
  await first.page.goto('/tag/soupday?show=comments')
  await expect(first.page.getByText('Thanks @tomas')).toBeVisible()
  await lookAt(first.page, 'tag-comments')
  await first.context.close()
  await second.context.close()
})

test('a creator holds back words, approves, pins, limits who comments, and removes all of a fan’s comments [TALK-02, TALK-03]', async ({
  browser,
}) => {
  const id = await publish('tomas', 'Rules of the table.')
  const tomas = await openDemo(browser, 'tomas', '/dashboard?tab=comments')
  await tomas.getByLabel('Blocked words').fill('Skimmed milk')
  await tomas.getByRole('button', { name: 'Save comment settings' }).click()
  await expect(tomas.getByText('Comment settings saved')).toBeVisible()

  const fan = await addFan(browser, 'rudefan', 'Rudi Rude', `/post/${id}`)
  const comments = section(fan.page)
  const write = async (text: string) => {
    await comments.getByRole('textbox', { name: 'Add a comment' }).fill(text)
    await comments.getByRole('button', { name: 'Post', exact: true }).click()
    await expect(comments.getByText(text)).toBeVisible()
  }
  await write('Use SKIMMED milk!')
  await expect(comments.getByText('Waiting for review')).toBeVisible()
  await write('Or none at all')
  const other = await addFan(browser, 'calmfan', 'Cal Calm', `/post/${id}`)
  await expect(section(other.page).getByText('Or none at all')).toBeVisible()
  await expect(section(other.page).getByText('Use SKIMMED milk!')).toHaveCount(0)

  await tomas.reload()
  const queue = tomas.getByRole('region', { name: 'Waiting for your review' })
  await expect(queue.getByText('Use SKIMMED milk!')).toBeVisible()
  await lookAt(tomas, 'comments-queue')
  await queue.getByRole('button', { name: "Approve Rudi Rude's comment" }).click()
  await expect(queue).toHaveCount(0)
  await expect(section(other.page).getByText('Use SKIMMED milk!')).toBeVisible({ timeout: 15_000 })

  await tomas.goto(`/post/${id}`)
  const menu = section(tomas).getByRole('button', { name: "More options for Rudi Rude's comment" })
  await choose(tomas, menu.last(), 'Pin comment')
  await expect(section(tomas).getByText('Pinned', { exact: true })).toBeVisible()
  await expect(section(tomas).getByRole('listitem').first()).toContainText('Use SKIMMED milk!')
  await lookAt(tomas, 'own-comments')

  await choose(
    tomas,
    tomas
      .getByRole('article')
      .getByRole('button', { name: /^More options for Tom/ })
      .first(),
    /^Edit$/,
  )
  const editor = tomas.getByRole('dialog')
  await editor.getByLabel('Who can comment').selectOption('Subscribers')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor).toHaveCount(0)
  await other.page.reload()
  await expect(section(other.page).getByText('Only subscribers can comment.')).toBeVisible()
  await lookAt(other.page, 'comments-closed')

  await menu.first().click()
  await tomas.getByRole('menuitem', { name: 'Delete all comments by Rudi Rude' }).click()
  await tomas.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click()
  await expect(tomas.getByText('2 comments deleted')).toBeVisible()
  await expect(section(tomas).getByText('No comments yet')).toBeVisible()
  for (const { context } of [fan, other]) await context.close()
  await tomas.context().close()
})
