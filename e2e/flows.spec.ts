import { expect, test } from '@playwright/test'
import { lookAt } from './look.ts'
import { openDemo, signUp } from './people.ts'

test('a creator starts a ready-made flow, which welcomes a new follower, and sees its numbers [AUTO-01, AUTO-02, AUTO-04, AUTO-05, INBOX-09]', async ({
  browser,
}) => {
  // Whom no other test follows: the flow would write to their users.
  const page = await openDemo(browser, 'juno', '/dashboard?tab=flows')
  await expect(page.getByText('No flows yet')).toBeVisible()
  await lookAt(page, 'flows-empty')
  await page.getByRole('button', { name: 'New flow' }).click()
  await expect(page.getByRole('dialog', { name: 'New flow' })).toBeVisible()
  await lookAt(page, 'flow-templates', { over: true })
  await page.getByRole('link', { name: /^Welcome/ }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('Hi {name}, good to see you!')
  await page.getByRole('button', { name: 'Add step' }).click()
  await page.getByRole('menuitem', { name: 'Wait' }).click()
  await page.getByRole('button', { name: 'Add step' }).click()
  await page.getByRole('menuitem', { name: 'Promotion code' }).click()
  await lookAt(page, 'flow-editor')
  await page.getByRole('button', { name: 'Save flow' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible()
  await page.getByRole('button', { name: 'Start Welcome' }).click()
  await expect(page.getByRole('button', { name: 'Pause Welcome' })).toBeVisible()

  // A test, which is among the notifications.
  await page.getByRole('button', { name: 'More about Welcome' }).click()
  await page.getByRole('menuitem', { name: 'Send a test to yourself' }).click()
  await expect(page.getByText('1 test message is in your notifications')).toBeVisible()

  const fan = await signUp(browser, { username: 'wilma', displayName: 'Wilma' })
  await fan.page.goto('/profile/juno')
  await fan.page
    .getByRole('button', { name: /^Follow / })
    .first()
    .click()
  await expect(async () => {
    await fan.page.goto('/messages')
    await expect(fan.page.getByText(/Hi Wilma, good to see you!/).first()).toBeVisible()
  }).toPass({ timeout: 90_000 })

  // Both sides see that nobody wrote it at that moment, and no such label on a reply.
  await fan.page.goto('/messages?with=juno')
  const reply = fan.page.getByRole('textbox', { name: /^Message to/ })
  await reply.fill('Hello, Juno')
  await reply.press('Enter')
  await page.goto('/messages?with=wilma')
  for (const side of [fan.page, page]) {
    const messages = side.getByRole('log').getByRole('listitem')
    const label = side.getByText('Sent automatically')
    await expect(messages.filter({ hasText: 'Hi Wilma, good to see you!' }).filter({ has: label })).toBeVisible()
    await expect(messages.filter({ hasText: 'Hello, Juno' })).toBeVisible()
    await expect(side.getByRole('log').getByText('Sent automatically')).toHaveCount(1)
  }
  await lookAt(fan.page, 'automated-message', { over: true })

  await page.goto('/dashboard?tab=flows')
  await expect(page.getByText('Got the message').locator('..')).toContainText('1')
  await lookAt(page, 'flows')
  await fan.context.close()
  await page.context().close()
})
