import { expect, test } from '@playwright/test'
import { lookAt } from './look.ts'
import { openDemo } from './people.ts'
import { payWith } from './sandbox.ts'

test('a creator sets a goal, a fan tips toward it, and everyone sees its progress live [OFFER-07]', async ({
  browser,
}) => {
  const page = await openDemo(browser, 'tomas', '/dashboard?tab=goals')
  await page.getByRole('link', { name: 'New goal' }).first().click()
  await page.getByLabel('Title').fill('A wood-fired oven')
  await page.getByLabel('Description').fill('For bread that smells of smoke.')
  await page.getByLabel('Amount').fill('20')
  await page.getByLabel('Refund all tips if the goal is missed').check()
  await lookAt(page, 'goal-form')
  await page.getByRole('button', { name: 'Set goal' }).click()
  await expect(page.getByText('$0.00 of $20.00')).toBeVisible()
  await lookAt(page, 'dashboard-goals')

  const fan = await openDemo(browser, 'sam', '/profile/tomas')
  await expect(fan.getByText('$0.00 of $20.00')).toBeVisible()
  await lookAt(fan, 'profile-goals')
  await fan.getByRole('button', { name: 'Tip toward A wood-fired oven' }).click()
  const dialog = fan.getByRole('dialog', { name: /^Tip / })
  await expect(dialog.getByRole('radio', { name: 'A wood-fired oven' })).toBeChecked()
  await dialog.getByLabel('Amount in USD').fill('20')
  await lookAt(fan, 'tip-goals')
  await dialog.getByRole('button', { name: /^Continue/ }).click()
  const another = fan.getByRole('button', { name: 'Use another card' })
  const number = fan.getByLabel('Card number')
  await expect(another.or(number)).toBeVisible()
  if (await another.isVisible()) await another.click()
  await payWith(fan)
  await expect(fan.getByText('$20.00 of $20.00')).toBeVisible()
  await expect(fan.getByText('Reached', { exact: true })).toBeVisible()
  // Without a reload.
  await expect(page.getByText('$20.00 of $20.00')).toBeVisible()

  // Visitors see it in the page itself, and the keyboard reaches what they can do.
  const visitor = await browser.newPage({ javaScriptEnabled: false })
  await visitor.goto('/profile/tomas')
  await expect(visitor.getByRole('progressbar', { name: 'Progress of A wood-fired oven' })).toBeVisible()
  await visitor.context().close()

  await page.getByRole('button', { name: 'End A wood-fired oven' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'End goal' }).press('Enter')
  await expect(page.getByText('Counting the last payments')).toBeVisible()
  for (const each of [page, fan]) await each.context().close()
})
