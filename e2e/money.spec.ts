import { expect, type Page, test } from '@playwright/test'
import type { SupabaseClient } from '@supabase/supabase-js'
import * as clients from './clients.ts'
import { press, type } from './keyboard.ts'
import { lookAt } from './look.ts'
import { demoPassword, signUp, type Visitor } from './people.ts'
import { cardFields, payWith } from './sandbox.ts'

/** A creator of the demo data with a plan that has a seven-day trial. */
const creatorName = 'tomas'

/**
 * Payments in a browser: plans with a trial, posts, tips, saved cards, and cards that fail. For paid messages, see messages.spec.ts; for
 * private sessions, sessions.spec.ts; for a plan without a trial, journey.spec.ts.
 */
test.describe.configure({ mode: 'serial' })
test.describe('a fan pays', () => {
  let fan: Visitor
  let creator: SupabaseClient
  let creatorId: string

  test.beforeAll(async ({ browser }) => {
    fan = await signUp(browser, { username: 'fay', displayName: 'Fay Fan' })
    ;({ client: creator, profileId: creatorId } = await clients.signIn(`${creatorName}@ovation.example`, demoPassword))
  })
  test.afterAll(async () => {
    await fan?.context.close()
  })

  test('subscribes with a free trial: nothing is due today [SUB-01, PROD-11, SUB-15]', async () => {
    const { page } = fan
    await page.goto(`/profile/${creatorName}?tab=subscribe`)
    await page.getByRole('button', { name: /Subscribe Now/ }).click()
    await atTheSandbox(page)
    await expect(page.getByText('7 days free')).toBeVisible()
    await lookAt(page, 'money-checkout-trial')
    await payWith(page, { button: 'Start trial' })
    await page.waitForURL(/\/subscription-success/)
    await expect(page.getByText('Subscription Successful!')).toBeVisible()
    await page.goto('/dashboard/subscriptions')
    await expect(page.getByText(/^Free until .*, then it renews$/)).toBeVisible()
  })

  test('switches to a plan that costs more, which ends the trial [SUB-04]', async () => {
    const { page } = fan
    const other = { name: 'The long table', price_cents: 1_200, interval: 'month' }
    const { error } = await creator.functions.invoke('create-subscription-product', { body: other })
    expect(error).toBeNull()
    await page.goto(`/profile/${creatorName}?tab=subscribe`)
    await page.getByRole('button', { name: 'Switch Plan: The long table' }).click()
    const dialog = page.getByRole('dialog', { name: 'Switch to The long table?' })
    await expect(dialog.getByText(/\$12\.00 \/ month/)).toBeVisible()
    await lookAt(page, 'money-switch')
    await dialog.getByRole('button', { name: 'Switch Plan' }).click()
    await expect(page.getByText("You're now on The long table")).toBeVisible()
    await expect(page.getByRole('button', { name: /^Switch Plan: A seat at the table/ })).toBeVisible()
  })

  test('buys a post after a declined card [POST-44, POST-45]', async () => {
    const { page } = fan
    const { data: post } = await creator
      .from('posts')
      .insert({
        creator_id: creatorId,
        title: 'The third pier',
        content: `${'What everybody may read. '.repeat(5)}And the secret.`,
        post_type: 'ppv',
        ppv_price: 500,
      })
      .select('id')
      .single()
      .throwOnError()
    await page.goto(`/post/${post.id}`)
    await page.getByRole('button', { name: 'Purchase' }).click()
    await atTheSandbox(page)
    await payWith(page, { number: '4000 0000 0000 0002', button: 'Pay $5.00' })
    await expect(page.getByText('Your card was declined.').first()).toBeVisible()
    await lookAt(page, 'money-checkout-declined')
    // This time the card is saved for one-click payments.
    await page.getByLabel(/Save this card/).check()
    await payWith(page, { button: 'Pay $5.00' })
    await page.waitForURL(/\/post\//)
    await expect(page.getByText('Payment confirmed. Enjoy the post!')).toBeVisible()
    await expect(page.getByText('And the secret.')).toBeVisible()
  })

  test('tips with one click and the saved card, after a confirmation [PROF-21, D40]', async () => {
    const { page } = fan
    await page.goto(`/profile/${creatorName}`)
    await page.getByRole('button', { name: 'Tip' }).first().click()
    await page.getByRole('button', { name: /Continue/ }).click()
    await expect(page.getByText('Visa ending in 4242')).toBeVisible()
    await lookAt(page, 'money-one-click')
    await page.getByRole('button', { name: 'Pay $10.00' }).click()
    await expect(page.getByText('Thank you! Your tip of $10.00 was sent.')).toBeVisible()
  })

  test('manages cards and the plan in the billing portal [SUB-05]', async () => {
    const { page } = fan
    await page.goto('/dashboard/subscriptions')
    await page.getByRole('button', { name: 'Manage billing' }).click()
    await atTheSandbox(page)
    await expect(page.getByRole('heading', { name: 'Your billing' })).toBeVisible()
    await expect(page.getByText('Visa ···· 4242').first()).toBeVisible()
    await lookAt(page, 'money-portal')
    await page.getByRole('button', { name: /^Cancel/ }).click()
    await expect(page.getByText('Your subscription ends with the period you paid for.')).toBeVisible()
    await page.getByRole('button', { name: /^Keep it/ }).click()
    await expect(page.getByText('Your subscription goes on.')).toBeVisible()
    await page.getByRole('link', { name: /Back to/ }).click()
    await expect(page).toHaveURL(/\/dashboard\/subscriptions/)
  })

  test('saves another card without a charge [D40]', async () => {
    const { page } = fan
    await page.getByRole('button', { name: 'Save a card' }).click()
    await atTheSandbox(page)
    await lookAt(page, 'money-save-card')
    await payWith(page, { number: '5555 5555 5555 4444', button: 'Save card' })
    await page.waitForURL(/\/dashboard\/subscriptions/)
    const card = page.getByRole('listitem').filter({ hasText: 'Mastercard ending in 4444' })
    await expect(card.getByText('Default')).toBeVisible()
  })

  test('cancels, sees how long access lasts, and resumes [SUB-05, SUB-17, SET-06]', async () => {
    const { page } = fan
    await page.goto('/dashboard/subscriptions')
    await page.getByRole('button', { name: /^Cancel your subscription to/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel this subscription?' })
    await dialog.getByRole('button', { name: 'Cancel subscription', exact: true }).click()
    await expect(page.getByText('Subscription canceled', { exact: true })).toBeVisible()
    await expect(page.getByText(/^Access until/)).toBeVisible()
    // A reload shows the state from Stripe, not the screen's own.
    await page.reload()
    await page.getByRole('button', { name: /^Resume your subscription to/ }).click()
    await expect(page.getByText('Subscription resumed', { exact: true })).toBeVisible()
    await expect(page.getByText(/^Renews on /)).toBeVisible()
    await expect(page.getByRole('button', { name: /^Cancel your subscription to/ })).toBeVisible()
  })

  test('subscribes with a promotion code, using only the keyboard [SUB-01, PROF-16]', async () => {
    const { page } = fan
    const { client: mara } = await clients.signIn('mara@ovation.example', demoPassword)
    const code = { code: 'FIRSTFROST', percentOff: 25, duration: 'once' }
    const { error } = await mara.functions.invoke('create-promotion-code', { body: code })
    expect(error).toBeNull()
    await page.goto('/profile/mara?tab=subscribe&code=FIRSTFROST')
    await expect(page.getByLabel('Promotion code')).toHaveValue('FIRSTFROST')
    const subscribe = page.getByRole('button', { name: 'Subscribe Now: Darkroom' })
    await expect(subscribe).toBeEnabled() // a key doesn't wait for that, as a click does
    await subscribe.press('Enter')
    await atTheSandbox(page)
    await expect(page.getByText('−$2.50')).toBeVisible()
    await lookAt(page, 'money-checkout-promotion')
    for (const [field, value] of cardFields) await type(page, page.getByLabel(field), value)
    await press(page, page.getByRole('button', { name: 'Subscribe' }))
    await page.waitForURL(/\/subscription-success/)
    await expect(page.getByText('Subscribed to Mara Lindqvist')).toBeVisible()
  })

  test('confirms with their bank when the card requires it, and can decline first [D40]', async () => {
    const { page } = fan
    await page.goto(`/profile/${creatorName}`)
    await page.getByRole('button', { name: 'Tip' }).first().click()
    await page.getByRole('button', { name: /Continue/ }).click()
    await page.getByRole('button', { name: 'Use another card' }).click()
    await atTheSandbox(page)
    await payWith(page, { number: '4000 0027 6000 3184', button: 'Pay $10.00' })
    await expect(page.getByRole('heading', { name: 'Your bank asks: is it you?' })).toBeVisible()
    await lookAt(page, 'money-bank')
    await page.getByRole('button', { name: 'Fail authentication' }).click()
    await expect(page.getByText(/unable to authenticate/).first()).toBeVisible()
    await payWith(page, { number: '4000 0027 6000 3184', button: 'Pay $10.00' })
    await page.getByRole('button', { name: 'Complete authentication' }).click()
    await page.waitForURL(new RegExp(`/profile/${creatorName}`))
    await expect(page.getByText('Thank you! Your tip of $10.00 was sent.')).toBeVisible()
  })

  test('switches to another plan once the bank has confirmed it [SUB-04, D29]', async ({ browser }) => {
    const strict = await signUp(browser, { username: 'stefan', displayName: 'Stefan Strikt' })
    const { page } = strict
    await page.goto('/profile/mara?tab=subscribe')
    await page.getByRole('button', { name: 'Subscribe Now: Darkroom' }).click()
    await atTheSandbox(page)
    await payWith(page, { number: '4000 0027 6000 3184', button: 'Subscribe' })
    await page.getByRole('button', { name: 'Complete authentication' }).click()
    await page.waitForURL(/\/subscription-success/)

    const { client: mara } = await clients.signIn('mara@ovation.example', demoPassword)
    const body = { name: 'Enlarger', price_cents: 4_000, interval: 'month' }
    expect((await mara.functions.invoke('create-subscription-product', { body })).error).toBeNull()
    await page.goto('/profile/mara?tab=subscribe')
    await page.getByRole('button', { name: 'Switch Plan: Enlarger' }).click()
    await page.getByRole('button', { name: 'Switch Plan', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Confirm with your bank' })
    await expect(question.getByText(/Once you do, you'll switch to Enlarger/)).toBeVisible()
    await lookAt(page, 'money-switch-bank')
    await question.getByRole('button', { name: 'Later' }).click()

    await page.goto('/dashboard/subscriptions')
    await expect(page.getByText(/confirm the switch to Enlarger by/)).toBeVisible()
    await lookAt(page, 'money-switch-waits')
    const opened = page.waitForEvent('popup')
    await page.getByRole('link', { name: /^Confirm payment for Mara Lindqvist/ }).click()
    const bank = await opened
    await bank.getByRole('button', { name: 'Complete authentication' }).click()
    await expect(bank.getByText('The invoice is paid')).toBeVisible()
    await bank.close()
    await expect(page.getByText('Enlarger')).toBeVisible()
    await expect(page.getByText(/confirm the switch/)).toBeHidden()
    await strict.context.close()
  })
})

async function atTheSandbox(page: Page) {
  await page.waitForURL(/\/sandbox\//)
  await expect(page.getByText('SANDBOX').first()).toBeVisible()
}
