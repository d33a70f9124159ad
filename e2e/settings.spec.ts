import { expect, type Locator, test } from '@playwright/test'
import { TOTP } from 'otpauth'
import { lookAt } from './look.ts'
import { open, password, signIn, signUp, type Visitor } from './people.ts'

/** Settings: what changes here applies on the server and at the next sign-in. */
test.describe.configure({ mode: 'serial' })
test.describe('settings', () => {
  let member: Visitor
  let secret = ''
  let recoveryCode = ''
  test.beforeAll(async ({ browser }) => {
    member = await signUp(browser, { username: 'ruben', displayName: 'Ruben' })
  })
  test.afterAll(() => member.context.close())

  test('every tab fits and passes axe at every width, light and dark [SET-01, SET-03, SET-04]', async () => {
    const { page } = member
    for (const tab of ['account', 'subscriptions', 'privacy', 'notifications', 'stripe']) {
      await lookAt(page, `settings-${tab}`, { open: () => page.goto(`/settings?tab=${tab}`) })
    }
  })

  test('a username is checked while typing, and changed [SET-12, AUTH-09, AUTH-10]', async () => {
    const { page } = member
    await page.goto('/settings')
    const username = page.getByLabel('Username')
    await username.fill('Mara')
    await expect(page.getByText('This username is already taken. Please choose another one.')).toBeVisible()
    await username.fill('ruben_2')
    await expect(page.getByText('This username is available.')).toBeVisible()
    await page.reload() // the typed username survives
    await expect(username).toHaveValue('ruben_2')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Settings saved')).toBeVisible()
    await page.goto('/profile/ruben_2')
    await expect(page.getByText('@ruben_2').first()).toBeVisible()
  })

  test('a new account has its security settings on Account, and every setting at its default [SET-23]', async ({
    browser,
  }) => {
    const { context, page } = await signUp(browser, { username: 'freya', displayName: 'Freya', path: '/settings' })
    await expect(page.getByRole('tab', { name: 'Account', selected: true })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Two-factor sign-in' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Turn on' })).toBeVisible()
    await expect(page.getByLabel('Login alerts')).toBeChecked()
    await page.goto('/settings?tab=privacy')
    for (const label of ['Public', "Show when I'm online", 'Allow direct messages'])
      await expect(page.getByLabel(label)).toBeChecked()
    await page.goto('/settings?tab=notifications')
    const panel = page.getByRole('tabpanel')
    for (const label of [/^Email/, /^Push notifications/, /^Messages/, /^Tips/, /^Subscriptions and purchases/])
      await expect(panel.getByLabel(label)).toBeChecked()
    await context.close()
  })

  test('privacy and notification settings are stored on the server [SET-15, SET-16, SET-17, SET-18, SET-20]', async ({
    browser,
  }) => {
    const { page } = member
    /** Changes a setting and waits until the server has saved it. */
    const save = async (setting: Locator) => {
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
      await setting.click()
      expect((await saved).status()).toBe(204)
    }
    await page.goto('/settings?tab=privacy')
    await save(page.getByText('Private', { exact: true }))
    await save(page.getByLabel('Allow direct messages'))
    await page.goto('/settings?tab=notifications')
    await save(page.getByLabel('Tips'))
    const elsewhere = await open(browser)
    await signIn(elsewhere.page, member.email, password, '/settings?tab=notifications')
    await expect(elsewhere.page.getByLabel('Tips')).not.toBeChecked()
    await elsewhere.page.goto('/settings?tab=privacy')
    await expect(elsewhere.page.getByLabel('Private')).toBeChecked()
    await expect(elsewhere.page.getByLabel('Allow direct messages')).not.toBeChecked()

    await page.goto('/settings')
    await expect(page.getByRole('button', { name: /^Sign out .+ on / })).toHaveCount(1)
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
    await expect(page.getByText("You've been signed out everywhere else")).toBeVisible()
    await expect(page.getByRole('button', { name: /^Sign out .+ on / })).toHaveCount(0)
    await elsewhere.context.close()
  })

  test('a passkey is added, named, signs in, and is removed', async ({ browser }) => {
    const { context, page } = await open(browser)
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    // Passkeys need a domain name; an IP address isn't one.
    const site = (process.env.E2E_URL ?? '').replace('127.0.0.1', 'localhost')
    await page.goto(`${site}/auth`)
    const form = page.getByRole('tabpanel', { name: 'Sign In' })
    await form.getByLabel('Email').fill(member.email)
    await form.getByLabel('Password', { exact: true }).fill(password)
    await form.getByRole('button', { name: 'Sign In', exact: true }).click()
    await page.waitForURL(`${site}/`)
    await page.goto(`${site}/settings`)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Rename Passkey' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('This laptop')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Remove This laptop' })).toBeVisible()

    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(`${site}/`)
    await page.goto(`${site}/settings`)
    await page.getByRole('button', { name: 'Remove This laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('No passkeys yet.')).toBeVisible()
    await context.close()
  })

  test('two-factor sign-in is turned on, with recovery codes, and asked for at the next sign-in [SET-21, AUTH-19, AUTH-23]', async ({
    browser,
  }) => {
    const { page } = member
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Turn on', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
    await lookAt(page, 'settings-two-factor')
    secret = (await dialog.locator('code').textContent()) ?? ''
    await dialog.getByLabel('Code from the app').fill(codeNow(secret))
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible()
    await expect(dialog.getByRole('listitem')).toHaveCount(10)
    await lookAt(page, 'settings-recovery-codes')
    recoveryCode = (await dialog.getByRole('listitem').first().textContent()) ?? ''
    await dialog.getByRole('button', { name: "I've saved them" }).click()
    await expect(page.getByText('10 of 10 recovery codes left.')).toBeVisible()

    const elsewhere = await open(browser)
    await elsewhere.page.goto('/settings')
    const form = elsewhere.page.getByRole('tabpanel', { name: 'Sign In' })
    await form.getByLabel('Email').fill(member.email)
    await form.getByLabel('Password', { exact: true }).fill(password)
    await form.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(elsewhere.page.getByRole('heading', { name: 'Two-factor sign-in' })).toBeVisible()
    await lookAt(elsewhere.page, 'auth-second-factor')
    await elsewhere.page.reload()
    await elsewhere.page.getByRole('button', { name: 'Use a recovery code' }).click()
    await elsewhere.page.getByLabel('Recovery code').fill(recoveryCode.toUpperCase())
    await elsewhere.page.getByRole('button', { name: 'Verify' }).click()
    await elsewhere.page.waitForURL(/\/settings$/)
    await expect(elsewhere.page.getByText('9 of 10 recovery codes left.')).toBeVisible()
    await elsewhere.page.getByRole('button', { name: 'Turn off', exact: true }).click()
    await elsewhere.page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await expect(elsewhere.page.getByText('Two-factor sign-in is off')).toBeVisible()
    await elsewhere.context.close()
  })

  test('the password changes with the old one, the data is exported, and the account is deleted [SET-08, SET-13, SET-14]', async ({
    browser,
  }) => {
    const visitor = await signUp(browser, { username: 'sofia', displayName: 'Sofia', path: '/settings' })
    const { page } = visitor
    await page.getByLabel('Current password').fill('not this one at all')
    await page.getByLabel('New password', { exact: true }).fill('another battery staple')
    await page.getByLabel('Confirm new password').fill('another battery staple')
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText("That's not your current password")).toBeVisible()
    await expect(page.getByLabel('Current password')).toBeFocused()
    await page.getByLabel('Current password').fill(password)
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText("Password changed. You've been signed out everywhere else.")).toBeVisible()

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download my data' }).click()
    expect((await download).suggestedFilename()).toBe('my-data.zip')

    await page.getByRole('button', { name: 'Delete account' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    const confirm = page.getByRole('dialog', { name: 'Enter your password' })
    await confirm.getByLabel('Password', { exact: true }).fill('not this one')
    await confirm.getByRole('button', { name: 'Delete my account' }).click()
    await expect(confirm.getByRole('alert')).toContainText('Incorrect password')
    await confirm.getByLabel('Password', { exact: true }).fill('another battery staple')
    await confirm.getByRole('button', { name: 'Delete my account' }).click()
    await expect(page).toHaveURL(/\/auth/)
    await page.goto('/profile/sofia')
    await expect(page.getByText('Oops! Page not found')).toBeVisible()
    await visitor.context.close()
  })
})

const codeNow = (secret: string) => new TOTP({ secret }).generate()
