import { expect, test } from '@playwright/test'
import * as clients from './clients.ts'
import { lookAt } from './look.ts'
import { latestEmail, linkIn } from './mailbox.ts'
import { openDemo, signUp, signUpOnScreen } from './people.ts'
import { payWith } from './sandbox.ts'

/** Gifts of a plan, and a creator's gift codes (OFFER-02, OFFER-03). */
test('someone gives three months to an address, whose owner signs up by the link and redeems them [OFFER-02]', async ({
  browser,
}) => {
  const { page, context } = await signUp(browser, {
    username: 'gilda',
    displayName: 'Gilda Giver',
    path: '/profile/tomas?tab=subscribe',
  })
  await page.getByRole('button', { name: 'Give as a gift' }).click()
  const dialog = page.getByRole('dialog', { name: 'Give a gift' })
  await dialog.getByText('An email address').click()
  await dialog.getByLabel(/^Email address/).fill('gifted@example.com')
  await dialog.getByLabel('Message (optional)').fill('For your birthday!')
  await lookAt(page, 'gift-dialog', { over: true })
  await dialog.getByRole('button', { name: /^Continue/ }).click()
  await page.waitForURL(/\/sandbox\//)
  await payWith(page)
  await page.waitForURL(/\/dashboard\/subscriptions/)
  await expect(page.getByText('Payment confirmed. Your gift is on its way.')).toBeVisible()
  const row = page.getByRole('region', { name: "Gifts you've given" }).getByRole('listitem')
  await expect(row.getByText('To gifted@example.com')).toBeVisible()
  await expect(row.getByText('Not redeemed yet')).toBeVisible()
  await lookAt(page, 'given-gifts')

  const findEmail = () => latestEmail('gifted@example.com', /^Gilda Giver gave you 3 months of /)
  await expect(async () => void (await findEmail())).toPass({ timeout: 100_000 }) // the job runs once a minute
  const link = linkIn(await findEmail())
  expect(link).toMatch(/\/gift\/[0-9a-f]{32}$/)
  const visitor = clients.open()
  expect((await visitor.rpc('get_gift', { code: link.split('/').at(-1) })).data).toMatchObject([{ state: 'open' }])
  const recipient = await signUpOnScreen(browser, { username: 'gifted', displayName: 'Gifted' })
  await recipient.page.goto(new URL(link).pathname)
  await expect(recipient.page.getByRole('heading', { name: 'Gilda Giver gave you a gift' })).toBeVisible()
  await expect(recipient.page.getByText('For your birthday!')).toBeVisible()
  await lookAt(recipient.page, 'gift')
  await recipient.page.getByRole('button', { name: 'Redeem gift' }).click()
  await expect(recipient.page.getByText("You've redeemed this gift.")).toBeVisible()
  await recipient.page.goto('/dashboard/subscriptions')
  const subscription = recipient.page.getByRole('listitem').filter({ hasText: 'Gift' })
  await expect(subscription.getByText(/^Access until /)).toBeVisible()
  await expect(subscription.getByRole('button', { name: /^Cancel/ })).toHaveCount(0)

  await page.reload()
  await expect(row.getByText('Redeemed', { exact: true })).toBeVisible()
  await context.close()
  await recipient.context.close()
})

test('a creator makes gift codes, downloads them, and a fan redeems one [OFFER-03]', async ({ browser }) => {
  const page = await openDemo(browser, 'tomas', '/subscription-products')
  const form = page.getByRole('form', { name: 'New gift codes' })
  await form.getByLabel(/^Number of codes/).fill('3')
  await form.getByLabel(/^Last day/).fill(`${new Date().getFullYear() + 1}-01-01`)
  await form.getByRole('button', { name: 'Make codes' }).click()
  await expect(page.getByText('3 codes made')).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Download the codes of 3 × 1 month of / }).click()
  const file = await (await downloading).createReadStream()
  const csv = (await file.toArray()).join('')
  const [code] = /[0-9a-f]{32}/.exec(csv) ?? []
  expect(csv.trim().split('\r\n')).toHaveLength(4)
  await page.context().close()

  const fan = await signUp(browser, { username: 'coded', displayName: 'Coded', path: `/gift/${code}` })
  await expect(fan.page.getByRole('heading', { name: 'A gift for you' })).toBeVisible()
  await fan.page.getByRole('button', { name: 'Redeem gift' }).click()
  await expect(fan.page.getByText("You've redeemed this gift.")).toBeVisible()
  await fan.context.close()
})
