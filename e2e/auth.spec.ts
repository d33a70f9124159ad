import { expect, test } from '@playwright/test'
import * as clients from './clients.ts'
import { lookAt } from './look.ts'
import { codeIn, latestEmail, linkIn } from './mailbox.ts'
import { open, password, signUp, type Visitor } from './people.ts'

/** Ways to regain access to an account, with emails from the outbox and links followed in the browser. */
test.describe.configure({ mode: 'serial' })
test.describe('account access', () => {
  let member: Visitor
  test.beforeAll(async ({ browser }) => {
    member = await signUp(browser, { username: 'petra', displayName: 'Petra' })
  })
  test.afterAll(() => member.context.close())

  test('an emailed link resets a forgotten password, and works once [AUTH-20, AUTH-23, API-AUTH-09, GEN-16]', async ({
    browser,
  }) => {
    const { context, page } = await open(browser)
    await page.goto('/auth')
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
    await page.getByLabel('Email').fill(member.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    await lookAt(page, 'auth-mail')

    const link = linkIn(await latestEmail(member.email, /^Reset your .+ password$/))
    await page.goto(link)
    await lookAt(page, 'auth-email-link')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByLabel('New password', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(/\/auth\?tab=new-password$/)
    await page.getByLabel('New password', { exact: true }).fill('a new battery staple')
    await page.getByLabel('Confirm new password').fill('a new battery staple')
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page).toHaveURL(/\/$/)
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
    await context.close()

    const again = await open(browser)
    await again.page.goto(link)
    await again.page.getByRole('button', { name: 'Continue' }).press('Enter')
    await expect(again.page.getByRole('alert')).toContainText('This link has expired')
    await expect(again.page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
    expect(again.page.url()).not.toContain('error')
    await lookAt(again.page, 'auth-link-expired')
    await again.context.close()
  })

  test('an emailed code signs in, and returns to the original screen [API-AUTH-07, API-AUTH-08, D35]', async ({
    browser,
  }) => {
    const visitor = await signUp(browser, { username: 'quentin', displayName: 'Quentin' })
    await visitor.context.close()
    const { context, page } = await open(browser)
    await page.goto('/notifications')
    await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in by email' })).toBeVisible()
    await page.getByLabel('Email').fill(visitor.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    // The email may arrive before the page has its response: from here on, a reload keeps the step.
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    const code = codeIn(await latestEmail(visitor.email, /sign-in link/))
    await page.reload()
    await page.getByLabel('Code from the email').fill(code === '000000' ? '111111' : '000000')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('alert')).toContainText("That code didn't work")
    await page.getByLabel('Code from the email').fill(code)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/notifications$/)
    await context.close()
  })

  test('sign-up requires the consent, and its time is stored [AUTH-07, GEN-07]', async ({ browser }) => {
    const { context, page } = await open(browser)
    const accounts = async () =>
      (await clients.service().from('profiles').select('terms_accepted_at').eq('username', 'consenting').throwOnError())
        .data
    await page.goto('/auth?tab=sign-up')
    const form = page.getByRole('tabpanel', { name: 'Sign Up' })
    await form.getByLabel('Email').fill('consenting@example.com')
    await form.getByLabel('Username').fill('consenting')
    await form.getByLabel('Password', { exact: true }).fill(password)
    await form.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page.getByText('Please confirm your age and agree to the terms')).toBeVisible()
    expect(await accounts()).toEqual([])
    const before = Date.now()
    await form.getByLabel('I am at least 18 years old and agree to the Terms of Service and Privacy Policy').check()
    await form.getByRole('button', { name: 'Sign Up' }).click()
    await page.waitForURL(({ pathname }) => pathname === '/')
    const [account] = await accounts()
    const storedAt = new Date(account?.terms_accepted_at ?? 0).getTime()
    expect(storedAt).toBeGreaterThan(before - 5_000)
    expect(storedAt).toBeLessThan(Date.now() + 5_000)
    await context.close()
  })

  test('the keyboard reaches every control of the sign-in screen [AUTH-04]', async ({ browser }) => {
    const { context, page } = await open(browser)
    await page.goto('/auth')
    await page.getByLabel('Email').focus()
    await page.keyboard.type('nobody@example.com')
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    const reached: string[] = []
    for (let step = 0; step < 4; step++) {
      await page.keyboard.press('Tab')
      reached.push(
        await page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent'),
      )
    }
    // The tests' address is an IP address, where browsers have no passkeys.
    expect(reached).toEqual(['Show password', 'Forgot password?', 'Sign In', 'Email me a sign-in link'])
    await context.close()
  })
})
