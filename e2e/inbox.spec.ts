import { expect, type Page, test } from '@playwright/test'
import { openDemo, signUp } from './people.ts'

/** A creator orders an inbox with many conversations. */
test('a creator pins, archives, and marks a conversation, takes it back, and gets it back with the next message [INBOX-01]', async ({
  browser,
}) => {
  const name = `Ines Inbox ${Date.now()}`
  const [{ page: fan }, creator] = await Promise.all([
    signUp(browser, { username: `ines${Date.now()}`, displayName: name, path: '/messages?with=mara' }),
    openDemo(browser, 'mara', '/messages'),
  ])
  const write = async (text: string) => {
    const box = fan.getByRole('textbox', { name: /^Message to/ })
    await box.fill(text)
    await box.press('Enter')
    await expect(fan.getByRole('log').getByText(text)).toBeVisible()
  }
  const row = creator.getByRole('listitem').filter({ has: creator.getByRole('link', { name: new RegExp(name) }) })
  const choose = async (page: Page, action: string) => {
    await row.hover()
    await row.getByRole('button', { name: `Options for your conversation with ${name}` }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  const show = (filter: string) => creator.getByRole('combobox', { name: 'Show' }).selectOption(filter)
  await expect(creator.getByRole('navigation', { name: 'Conversations' })).toBeVisible()
  await write('Do you sell prints?')
  await expect(row).toContainText('1 unread')

  await choose(creator, 'Archive')
  await expect(row).toHaveCount(0)
  await creator.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toBeVisible()
  await show('Unanswered')
  await expect(row).toBeVisible()
  await show('Subscribers')
  await expect(row).toHaveCount(0)
  await show('All')

  await choose(creator, 'Pin')
  await expect(row.getByLabel('Pinned')).toBeVisible()
  await expect(creator.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first()).toContainText(name)
  await creator.reload()
  await expect(creator.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first()).toContainText(name)

  // With the keyboard alone.
  await row.getByRole('button', { name: /^Options/ }).focus()
  await creator.keyboard.press('Enter')
  await creator.getByRole('menuitem', { name: 'Mark as read' }).press('Enter')
  await expect(row).not.toContainText('1 unread')

  await choose(creator, 'Archive')
  await expect(row).toHaveCount(0)
  await show('Archived')
  await expect(row).toBeVisible()
  await write('Or postcards?')
  await expect(row).toHaveCount(0)
  await show('All')
  await expect(row).toContainText('Or postcards?')
  await Promise.all([fan.context().close(), creator.context().close()])
})

/** Only the two of them see the comment, and only the creator that it is restricted. */
test('a creator restricts a fan, who notices nothing [LIST-05]', async ({ browser }) => {
  const stamp = Date.now()
  const name = `Rika Rauch ${stamp}`
  const [{ page: fan }, creator, other] = await Promise.all([
    signUp(browser, { username: `rika${stamp}`, displayName: name, path: '/profile/mara' }),
    openDemo(browser, 'mara', '/messages'),
    openDemo(browser, 'lena', '/profile/mara'),
  ])
  const comments = async (page: Page) => {
    await page.goto('/profile/mara')
    await page
      .getByRole('button', { name: /^Comments/ })
      .first()
      .click()
    return page.getByRole('region', { name: 'Comments' }).first()
  }
  const ofFan = await comments(fan)
  await ofFan.getByRole('textbox', { name: 'Add a comment' }).fill(`So foggy ${stamp}`)
  await ofFan.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(ofFan.getByText(`So foggy ${stamp}`)).toBeVisible()
  // Shown before it is stored; a page that is left meanwhile keeps the text as a draft.
  await expect(ofFan.getByRole('status').getByText('Comment posted')).toBeAttached()
  await fan.goto('/messages?with=mara')
  const box = fan.getByRole('textbox', { name: /^Message to/ })
  await box.fill('Answer me')
  await box.press('Enter')
  await expect(fan.getByRole('log').getByText('Answer me')).toBeVisible()

  await creator.getByRole('link', { name: new RegExp(name) }).click()
  await creator
    .locator('header')
    .getByRole('button', { name: /^Options for your conversation/ })
    .click()
  await creator.getByRole('menuitem', { name: `Restrict ${name}` }).click()
  await expect(creator.getByText(`You restricted ${name}.`)).toBeVisible()
  await creator.goto('/messages')
  await expect(creator.getByRole('navigation', { name: 'Conversations' })).toBeVisible()
  await expect(creator.getByRole('link', { name: new RegExp(name) })).toHaveCount(0)

  await box.fill('Still there?')
  await box.press('Enter')
  await expect(fan.getByRole('log').getByText('Still there?')).toBeVisible()
  await creator.getByRole('combobox', { name: 'Show' }).selectOption('Restricted')
  await expect(creator.getByRole('link', { name: new RegExp(name) })).toContainText('Still there?')
  await creator.goto('/notifications')
  await expect(creator.getByRole('heading', { name: 'Notifications' })).toBeVisible()
  // Of the message before the restriction.
  await expect(creator.getByText(`${name} sent you a message`)).toHaveCount(1)

  await expect((await comments(fan)).getByText(`So foggy ${stamp}`)).toBeVisible()
  const ofCreator = (await comments(creator)).getByRole('listitem').filter({ hasText: `So foggy ${stamp}` })
  await expect(ofCreator.getByText('Restricted')).toBeVisible()
  const ofOther = await comments(other)
  await expect(ofOther.getByRole('listitem').first()).toBeVisible()
  await expect(ofOther.getByText(`So foggy ${stamp}`)).toHaveCount(0)
  await ofCreator.getByRole('button', { name: /^More options/ }).click()
  await creator.getByRole('menuitem', { name: 'Lift restriction' }).click()
  await expect(ofCreator.getByText('Restricted')).toHaveCount(0)
  await expect((await comments(other)).getByText(`So foggy ${stamp}`)).toBeVisible()
  await Promise.all([fan, creator, other].map((page) => page.context().close()))
})
