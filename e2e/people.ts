import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { recordCspViolations } from './look.ts'
import { readSecrets } from './start-product.ts'

export const password = 'correct horse battery'
/** The password of the demo's users. */
export const demoPassword = 'ovation-demo'

/** How a browser calls itself that isn't headless: links don't count visits of bots (LINK-02). */
export const personsBrowser =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

export type Visitor = { readonly context: BrowserContext; readonly page: Page; readonly email: string }

/** A new browser context, which shares nothing with others. */
export async function open(browser: Browser): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext()
  await context.addInitScript(recordCspViolations)
  return { context, page: await openTab(context) }
}

/** A tab whose `goto` waits until the app runs: before, a page that the server has rendered answers to nothing but links. */
export async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const goto = page.goto.bind(page)
  page.goto = async (...destination) => {
    const response = await goto(...destination)
    await expect(page.locator('[data-visitor-page]')).toHaveCount(0)
    return response
  }
  return page
}

type NewUser = {
  readonly username: string
  readonly displayName: string
  readonly wantsToCreate?: boolean
  readonly email?: string
  /** The first screen; home by default. */
  readonly path?: string
}

/** Signs up a new user and opens a screen. Through the API, which is faster than {@link signUpOnScreen}. */
export async function signUp(browser: Browser, newUser: NewUser): Promise<Visitor> {
  const { context, page } = await open(browser)
  const { username, displayName, wantsToCreate = false, email = `${username}@example.com`, path = '/' } = newUser
  const metadata = { username, display_name: displayName, is_creator: wantsToCreate, terms_accepted: true }
  await storeSession(context, 'signup', { email, password, data: metadata })
  await openFirst(page, path)
  return { context, page, email }
}

/** Signs up on the screen. @param from the link that the user followed; links to other screens redirect to sign-in. */
export async function signUpOnScreen(browser: Browser, newUser: NewUser, from = '/auth'): Promise<Visitor> {
  const { context, page } = await open(browser)
  const email = await signUpAt(page, newUser, from)
  return { context, page, email }
}

/** The same in a page that is open already. @returns the email address. */
export async function signUpAt(page: Page, newUser: NewUser, from = '/auth'): Promise<string> {
  const { username, displayName, wantsToCreate = false, email = `${username}@example.com` } = newUser
  await page.goto(from)
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  const form = page.getByRole('tabpanel', { name: 'Sign Up' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Username').fill(username)
  await form.getByLabel('Display name').fill(displayName)
  await form.getByLabel('Password', { exact: true }).fill(password)
  if (wantsToCreate) await form.getByLabel('I want to be a creator and monetize my content').check()
  await form.getByLabel(/I am at least 18 years old and agree to the/).check()
  await form.getByRole('button', { name: 'Sign Up' }).click()
  await page.waitForURL(({ pathname }) => pathname === (wantsToCreate ? '/creator-verification' : '/'))
  return email
}

/** Signs in and opens a screen. Through the API: auth.spec.ts and settings.spec.ts test the forms. */
export async function signIn(page: Page, email: string, secret: string, path = '/') {
  await signInContext(page.context(), email, secret)
  await openFirst(page, path)
}

/** Opens a browser context as one of the demo's users. */
export async function openDemo(browser: Browser, username: string, path = '/'): Promise<Page> {
  const { page } = await open(browser)
  await signIn(page, `${username}@ovation.example`, demoPassword, path)
  return page
}

/** Signs in a browser context without opening a page. */
export async function signInContext(context: BrowserContext, email: string, secret: string) {
  await storeSession(context, 'token?grant_type=password', { email, password: secret })
}

/** Stores the session from auth/v1 where the app's client does (AUTH-27). Replaces everything in the context's storage. */
async function storeSession(context: BrowserContext, path: string, body: object) {
  const response = await context.request.post(`/auth/v1/${path}`, {
    data: body,
    headers: { apikey: readSecrets().anonKey },
  })
  expect(response.status(), await response.text()).toBe(200)
  const { origin, hostname } = new URL(response.url())
  const session = { name: `sb-${hostname.split('.')[0]}-auth-token`, value: await response.text() }
  await context.setStorageState({ cookies: [], origins: [{ origin, localStorage: [session] }] })
}

async function openFirst(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
}
