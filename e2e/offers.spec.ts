import { expect, test } from '@playwright/test'
import * as clients from './clients.ts'
import { press, type } from './keyboard.ts'
import { lookAt } from './look.ts'
import { demoPassword, open, openDemo, signUp } from './people.ts'
import { payWith } from './sandbox.ts'

/** Whom no other test subscribes to. */
const creatorName = 'elias'

test('a creator starts an offer by keyboard, a visitor sees it, a fan subscribes with it, and the creator ends it [OFFER-04]', async ({
  browser,
}) => {
  const creator = await openDemo(browser, creatorName, '/subscription-products')
  const section = creator.getByRole('region', { name: 'Offers' })
  await expect(section.getByText('No offers yet.')).toBeVisible()
  const form = section.getByRole('form', { name: 'New offer' })
  await type(creator, form.getByLabel(/^Discount/), '40')
  await type(creator, form.getByLabel(/^Billing periods/), '3')
  await press(creator, form.getByRole('button', { name: 'Start offer' }))
  await expect(form.getByText('Choose a last day, a number of users, or both')).toBeVisible()
  await type(creator, form.getByLabel('Number of users'), '25')
  await press(creator, form.getByRole('button', { name: 'Start offer' }))
  await expect(creator.getByText('Your offer has started')).toBeVisible()
  await expect(section.getByRole('listitem').getByText('0 of 25 users')).toBeVisible()
  await lookAt(creator, 'offers')

  const visitor = await open(browser)
  await visitor.page.goto(`/profile/${creatorName}?tab=subscribe`)
  const card = visitor.page
    .getByRole('article')
    .filter({ has: visitor.page.getByRole('button', { name: /^Subscribe Now/ }) })
  await expect(card.first().getByText(/^40% off for your first 3 months, then/)).toBeVisible()
  await expect(card.first().getByText('25 left')).toBeVisible()
  await lookAt(visitor.page, 'plans-with-offer')
  await visitor.context.close()

  const fan = await signUp(browser, {
    username: 'ottilie',
    displayName: 'Ottilie Offer',
    path: `/profile/${creatorName}?tab=subscribe`,
  })
  await fan.page
    .getByRole('button', { name: /^Subscribe Now/ })
    .first()
    .click()
  await fan.page.waitForURL(/\/sandbox\//)
  await expect(fan.page.getByText('40% off for 3 months')).toBeVisible()
  await lookAt(fan.page, 'checkout-offer')
  await payWith(fan.page, { button: 'Subscribe' })
  await fan.page.waitForURL(/\/subscription-success/)
  await fan.page.goto('/dashboard/subscriptions')
  await expect(fan.page.getByText(/^40% off until /)).toBeVisible()
  await lookAt(fan.page, 'subscription-with-offer')
  await fan.page.goto(`/profile/${creatorName}?tab=subscribe`)
  await expect(fan.page.getByRole('button', { name: 'Current Plan' })).toBeVisible()
  await expect(fan.page.getByText(/40% off/)).toHaveCount(0)

  await creator.reload()
  await expect(section.getByRole('listitem').getByText('1 of 25 users')).toBeVisible()
  await section.getByRole('button', { name: 'End offer: 40% off the first 3 payments' }).click()
  await creator.getByRole('dialog').getByRole('button', { name: 'End offer' }).click()
  await expect(creator.getByText('Your offer has ended')).toBeVisible()
  await section.getByRole('button', { name: 'Show 1 earlier offer' }).click()
  await expect(section.getByText('Ended early')).toBeVisible()
  const { client } = await clients.signIn(`${creatorName}@ovation.example`, demoPassword)
  const { data } = await client.from('offers').select('offers_used').throwOnError()
  expect(data).toEqual([{ offers_used: 1 }])
  await fan.context.close()
})
