import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, type Page, test } from '@playwright/test'
import * as clients from './clients.ts'
import { lookAt } from './look.ts'
import { password, signUp, signUpOnScreen, type Visitor } from './people.ts'
import { photo } from './pictures.ts'
import { availableAtOnce, fillOnboarding, payWith } from './sandbox.ts'

/** The main flow: a creator earns money from a fan. The tests tell one story in order, and each needs the one before. */
test.describe.configure({ mode: 'serial' })
test.describe('a creator earns money from a fan', () => {
  const freeText = 'The harbour at six, before the boats leave.'
  const lockedText =
    'Everybody may read the beginning of this note, because the first hundred characters are the preview. What follows is for subscribers: the secret place is the third pier, and the code is heron-48151623.'
  const secret = 'heron-48151623'
  let creator: Visitor
  let admin: Visitor
  let fan: Visitor
  let stranger: Visitor

  test.afterAll(async () => {
    for (const visitor of [creator, admin, fan, stranger]) await visitor?.context.close()
  })

  test('an invited creator signs up and applies with two ID images [AUTH-02, REF-15, REF-16, AUTH-05, AUTH-06, AUTH-07, AUTH-15, VER-05, VER-07, VER-12, VER-14]', async ({
    browser,
  }) => {
    const service = clients.service()
    const profileOf = async (username: string): Promise<string> =>
      (await service.from('profiles').select('id').eq('username', username).single().throwOnError()).data.id
    const referrer = await profileOf('mara')
    const newcomer = { username: 'ada', displayName: 'Ada Harbour', wantsToCreate: true }
    creator = await signUpOnScreen(browser, newcomer, `/?ref=REF${referrer.slice(0, 8).toUpperCase()}`)
    const referrals = service.from('referrals').select('referrer_id, status')
    const { data: invitations } = await referrals.eq('referred_id', await profileOf('ada')).throwOnError()
    expect(invitations).toEqual([{ referrer_id: referrer, status: 'pending' }])
    const { page } = creator
    // LOOP-07: signing up as a creator leads to the application.
    await page.getByLabel('Country').selectOption('US')
    await page.getByLabel('Full name').fill('Ada Mary Harbour')
    await page.getByLabel('Address').fill('3 Pier Road, Portland, ME 04101')
    await page.getByLabel('Social Security number').fill('900112222')
    await expect(page.getByLabel('Social Security number')).toHaveValue('900-11-2222')
    await chooseFile(page, 'ID front', { name: 'front.jpg', mimeType: 'image/jpeg', buffer: await photo(20, 856, 540) })
    await chooseFile(page, 'ID back', { name: 'back.jpg', mimeType: 'image/jpeg', buffer: await photo(200, 856, 540) })
    await page.getByRole('button', { name: 'Submit application' }).click()
    await expect(page.getByText('Application Submitted')).toBeVisible()
    await expect(page.getByText('Your application is under review')).toBeVisible()
    await lookAt(page, 'verification-pending')
  })

  test('an admin approves the application [GEN-43, ADM-06, ADM-09]', async ({ browser }) => {
    const operator = { username: 'operator', displayName: 'The Operator', email: 'operator@example.com' }
    admin = await signUp(browser, { ...operator, path: '/admin' })
    const { page } = admin
    await page.getByRole('tab', { name: /Pending Applications/ }).click()
    const application = page.getByRole('listitem').filter({ hasText: 'Ada Mary Harbour' })
    await expect(application).toBeVisible()
    await application.getByRole('button', { name: /Approve/ }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Approve/ })
      .click()
    await expect(page.getByText('Application approved')).toBeVisible()
  })

  test('the creator connects a payout account in the sandbox [ONB-03, ONB-06, ONB-07, ONB-11, GEN-14]', async () => {
    const { page, context } = creator
    await lookAt(page, 'onboarding-begin', { open: () => page.goto('/creator-onboarding') })
    await page.getByRole('button', { name: 'Create account' }).click()
    const opened = context.waitForEvent('page')
    await page.getByRole('button', { name: 'Continue to Stripe' }).click()
    const stripe = await opened
    await expect(stripe.getByText('SANDBOX').first()).toBeVisible()
    await fillOnboarding(stripe)
    await stripe.waitForURL(/\/creator-onboarding/)
    await stripe.close()
    await page.bringToFront()
    await page.getByRole('button', { name: 'Refresh Status' }).click()
    await expect(page.getByText('Fully set up').first()).toBeVisible()
  })

  test('the creator defines a $9.99 monthly plan [PROD-02, PROD-06, PROD-10]', async () => {
    const { page } = creator
    await page.goto('/subscription-products')
    await page.getByLabel('Name').fill('Harbour Club')
    await page.getByLabel('Price').fill('9.99')
    await page
      .getByRole('button', { name: /^Create/ })
      .last()
      .click()
    await expect(page.getByText('Harbour Club').first()).toBeVisible()
    await expect(page.getByText('Active').first()).toBeVisible()
  })

  test('the creator publishes a free post and one for subscribers, with a photo [GEN-04, POST-17, POST-18, POST-22]', async () => {
    const { page } = creator
    await page.goto('/')
    await compose(page, { content: freeText })
    await compose(page, {
      content: lockedText,
      audience: /Harbour Club/,
      file: { name: 'pier.jpg', mimeType: 'image/jpeg', buffer: await photo(120) },
    })
    await expect(page.getByText(freeText)).toBeVisible()
    await expect(page.getByText(secret, { exact: false })).toBeVisible()
  })

  test('a fan finds the creator, and sees the free post and the locked post [SRCH-04, SRCH-06, POST-41, POST-03, POST-09, POST-10, POST-11]', async ({
    browser,
  }) => {
    fan = await signUp(browser, { username: 'finn', displayName: 'Finn Fan' })
    const { page } = fan
    await page.getByPlaceholder('Search...').fill('harbour')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Search results for "harbour"' })).toBeVisible()
    await page
      .getByRole('link', { name: /Ada Harbour/ })
      .first()
      .click()
    await expect(page).toHaveURL(/\/profile\/ada$/)
    await expect(page.getByText(freeText)).toBeVisible()
    await expect(page.getByText('Subscriber Only').first()).toBeVisible()
    await expect(page.getByText('Everybody may read the beginning', { exact: false })).toBeVisible()
    await expect(page.getByText(secret, { exact: false })).toHaveCount(0)
    expect(await page.content()).not.toContain(secret)
    await page
      .getByRole('button', { name: /^Follow/ })
      .first()
      .click()
  })

  test('the fan subscribes through checkout and sees the photo; the creator is notified live [GEN-02, GEN-15, NOTI-15, SUB-01, SUB-07, SUB-09, SUB-12, NOTI-14, POST-42, API-RT-02, GEN-01, GEN-14]', async () => {
    await creator.page.goto('/notifications')
    await expect(creator.page.getByRole('heading', { name: 'Notifications' })).toBeVisible()

    const { page } = fan
    await page.goto('/profile/ada')
    await page.getByRole('tab', { name: 'Subscribe' }).click()
    await page.getByRole('button', { name: /Subscribe Now/ }).click()
    await page.waitForURL(/\/sandbox\//)
    await expect(page.getByText('SANDBOX').first()).toBeVisible()
    await expect(page.getByText('$9.99').first()).toBeVisible()
    await payWith(page, { number: '4000 0000 0000 0002', button: /^Subscribe/ })
    await expect(page.getByText(/declined/i).first()).toBeVisible()
    await payWith(page, { number: availableAtOnce, button: /^Subscribe/ })
    await page.waitForURL(/\/subscription-success/)
    await expect(page.getByText('Subscription Successful!')).toBeVisible()
    await expect(page.getByText('Harbour Club')).toBeVisible()
    await expect(page.getByText('Subscribed to Ada Harbour')).toBeVisible()

    // The creator's open screen updates without a reload.
    await expect(creator.page.getByText('Finn Fan subscribed to Harbour Club', { exact: false }).first()).toBeVisible()

    await page.getByRole('link', { name: 'View Creator Profile' }).click()
    await expect(page.getByText(secret, { exact: false })).toBeVisible()
    const picture = page.getByRole('img', { name: /Photo by Ada Harbour/ })
    await expect(picture).toBeVisible()
    await expect
      .poll(() => picture.evaluate((image) => 'naturalWidth' in image && image.naturalWidth))
      .toBeGreaterThan(400)
  })

  test('the creator has one subscriber and $8.99 [DASH-10, DASH-11, DATA-32, GEN-06, PROF-06]', async () => {
    const { page } = creator
    await page.goto('/dashboard')
    await expect(page.getByText('$8.99').first()).toBeVisible()
    await expect(page.getByText('Finn Fan').first()).toBeVisible()
    await page.goto('/profile')
    await expect(page.getByText('$8.99').first()).toBeVisible()
  })

  test('the creator sees earnings by source, and downloads the statement [DASH-03, DASH-12, GEN-06, LOOP-21]', async () => {
    const { page } = creator
    await page.goto('/dashboard?tab=earnings')
    await expect(page.getByRole('row', { name: /^Subscriptions/ })).toContainText('$9.99$8.99100%')
    await expect(page.getByRole('table', { name: 'Payments' })).toContainText('-$1.00')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const statement = await readFile(await (await downloading).path(), 'utf8')
    expect(statement.trim().split('\r\n').slice(1)).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d,Subscription: .*,Finn Fan,\$9\.99,\$1\.00,\$8\.99,USD$/),
    ])
    const document = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download PDF' }).click()
    expect((await readFile(await (await document).path())).subarray(0, 5).toString()).toBe('%PDF-')
    await page.getByRole('tab', { name: 'Subscribers' }).click()
    await expect(page.getByRole('row', { name: /Finn Fan/ })).toContainText('$9.99')
  })

  test('a tip and a purchase are credited to the cent, one is refunded, the rest is paid out, and the statement verifies [PROF-21, POST-45, DASH-11, DASH-12, D39, D40, GEN-01]', async () => {
    const { page } = creator
    const ada = await clients.signIn(creator.email, password)
    const finn = await clients.signIn(fan.email, password)
    const { data: post } = await ada.client
      .from('posts')
      .insert({
        creator_id: ada.profileId,
        title: 'The third pier',
        content: 'For sale.',
        post_type: 'ppv',
        ppv_price: 500,
      })
      .select('id')
      .single()
      .throwOnError()
    for (const [kind, targetId, amountCents] of [
      ['tip', ada.profileId, 1_000],
      ['ppv', post.id, undefined],
    ] as const) {
      const body = { kind, targetId, savedCard: 'skip', ...(amountCents && { amountCents }) }
      const { data, error } = await finn.client.functions.invoke('create-payment-checkout', { body })
      expect(error).toBeNull()
      await fan.page.goto(data.url)
      await payWith(fan.page, { number: availableAtOnce })
      // The payment succeeded. money.spec.ts tests what the app shows next.
      await fan.page.waitForURL((url) => !url.pathname.startsWith('/sandbox'), { waitUntil: 'commit' })
    }
    await page.goto('/dashboard?tab=earnings')
    const payments = page.getByRole('table', { name: 'Payments' })
    await expect(payments.getByRole('row', { name: /^All 3 payments/ })).toContainText('$24.99-$2.50$22.49')

    // $9.00 of the tip are refunded; $13.49 remain.
    await payments.getByRole('button', { name: 'Refund $10.00 from Finn Fan' }).click()
    const dialog = page.getByRole('dialog', { name: 'Refund $10.00 to Finn Fan?' })
    await dialog.getByLabel('Reason').fill('Sent twice')
    await dialog.getByRole('button', { name: 'Refund' }).click()
    await expect(payments.getByRole('row', { name: /^All \d payments/ })).toContainText('$14.99-$1.50$13.49')

    await payOut(ada)
    await page.reload()
    await expect(page.getByRole('definition').filter({ hasText: '$13.49' }).first()).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: '$13.49' })).toBeVisible()
    const downloading = page.waitForEvent('download')
    await page.getByText('Audit file: how to check it').click()
    await page.getByRole('button', { name: 'Download audit file' }).click()
    const script = fileURLToPath(new URL('../scripts/verify-statement.ts', import.meta.url))
    const { stdout } = spawnSync(process.execPath, [script, await (await downloading).path()], { encoding: 'utf8' })
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining(['Earned    $13.49', 'Paid out  $13.49', 'Balance   $0.00']),
    )
  })

  test('a fan who has not paid gets neither the content nor the file from any API [POST-11, POST-46, POST-47, GEN-35, API-RT-04]', async ({
    browser,
  }) => {
    stranger = await signUp(browser, { username: 'mallory', displayName: 'Mallory' })
    const { page } = stranger
    const bodies: string[] = []
    page.on('response', async (response) => {
      if (/rest\/v1|storage\/v1/.test(response.url())) bodies.push(await response.text().catch(() => ''))
    })
    await page.goto('/profile/ada')
    await expect(page.getByText('Subscriber Only').first()).toBeVisible()
    await expect.poll(() => bodies.join('\n')).toContain('"is_locked":true')
    expect(await page.content()).not.toContain(secret)
    expect(bodies.join('\n')).not.toContain(secret)

    const baseUrl = new URL(page.url()).origin
    const { data: whole } = await clients
      .service()
      .from('posts')
      .select('id, media_urls')
      .like('content', `%${secret}%`)
      .single()
      .throwOnError()
    const path: string = whole.media_urls[0]

    const { client: mallory } = await clients.signIn(stranger.email, password)
    for (const client of [mallory, clients.open()]) {
      const { data: rows } = await client.from('posts').select('*').eq('id', whole.id).throwOnError()
      expect(rows).toEqual([
        expect.objectContaining({ is_locked: true, media_urls: [], content: lockedText.slice(0, 100) }),
      ])
      const { data: found } = await client.from('posts').select('id').like('content', `%${secret}%`).throwOnError()
      expect(found).toEqual([])
      const bucket = client.storage.from('posts')
      expect((await bucket.download(path)).error).not.toBeNull()
      expect((await bucket.createSignedUrl(path, 60)).error).not.toBeNull()
      expect(await bucket.list(path.split('/')[0])).toEqual({ data: [], error: null })
      for (const guess of [
        `object/public/posts/${path}`,
        `object/posts/${path}`,
        `object/authenticated/posts/${path}`,
        `object/sign/posts/${path}`,
      ]) {
        const response = await fetch(`${baseUrl}/storage/v1/${guess}`)
        expect(response.status).toBeGreaterThanOrEqual(400)
        expect(response.headers.get('content-type')).toMatch(/json/)
      }
    }
  })
})

/** Runs the provider's daily payout now. Resolves when the product has received its webhook. */
async function payOut({ client, profileId }: clients.ApiUser) {
  const { data: creator } = await client
    .from('profiles')
    .select('stripe_account_id')
    .eq('id', profileId)
    .single()
    .throwOnError()
  const { data } = await client.functions.invoke('get-payout-balance')
  const response = await fetch(`${process.env.E2E_SANDBOX_URL}/v1/payouts`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_journey', 'stripe-account': creator.stripe_account_id },
    body: new URLSearchParams({ amount: String(data.balance.availableCents), currency: 'usd' }),
  })
  expect(response.status, await response.text()).toBe(200)
  await expect
    .poll(async () => (await client.from('transactions').select('id').eq('transaction_type', 'payout')).data?.length)
    .toBe(1)
}

type FilePayload = { name: string; mimeType: string; buffer: Buffer }

async function chooseFile(page: Page, label: string, file: FilePayload) {
  await page.getByLabel(label, { exact: true }).setInputFiles(file)
}

async function compose(
  page: Page,
  { content, audience, file }: { content: string; audience?: RegExp; file?: FilePayload },
) {
  await page.getByRole('button', { name: 'Create Post' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create Post' })
  await dialog.getByLabel('Content').fill(content)
  if (audience) await dialog.getByRole('radio', { name: audience }).check()
  if (file) await dialog.locator('input[type=file][multiple]').setInputFiles(file)
  await dialog.getByRole('button', { name: 'Create Post' }).click()
  await expect(dialog).toBeHidden({ timeout: 20_000 })
}
