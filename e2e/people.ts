import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { noteRefusals } from './look.ts'
import { readSecrets } from './start-product.ts'

export const password = 'correct horse battery'
/** That of the demo's people. */
export const demoPassword = 'ovation-demo'

export type Visitor = { readonly context: BrowserContext; readonly page: Page; readonly email: string }

/** A person with a browser of their own. */
export async function open(browser: Browser): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext()
  await context.addInitScript(noteRefusals)
  return { context, page: await context.newPage() }
}

type NewPerson = {
  readonly username: string
  readonly displayName: string
  readonly wantsToCreate?: boolean
  readonly email?: string
  /** The screen that they open first; home when it is not given. */
  readonly path?: string
}

/** A newcomer, signed in and on a screen. Through the API: {@link signUpOnScreen} is the slower way that people take. */
export async function signUp(browser: Browser, person: NewPerson): Promise<Visitor> {
  const { context, page } = await open(browser)
  const { username, displayName, wantsToCreate = false, email = `${username}@example.com`, path = '/' } = person
  const metadata = { username, display_name: displayName, is_creator: wantsToCreate, terms_accepted: true }
  await keepSession(context, 'signup', { email, password, data: metadata })
  await openFirst(page, path)
  return { context, page, email }
}

/** Signs up on the screen, as a newcomer does. @param from the link that they followed; who is signed out is sent to sign in. */
export async function signUpOnScreen(browser: Browser, person: NewPerson, from = '/auth'): Promise<Visitor> {
  const { context, page } = await open(browser)
  const { username, displayName, wantsToCreate = false, email = `${username}@example.com` } = person
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
  await page.waitForURL(({ pathname }) => pathname === '/')
  return { context, page, email }
}

/** Signs in, on the home screen or another. Through the API: the forms have journeys of their own (auth, settings). */
export async function signIn(page: Page, email: string, secret: string, path = '/') {
  await signInUnseen(page.context(), email, secret)
  await openFirst(page, path)
}

/** One of the demo's people, with a browser of their own. */
export async function openDemo(browser: Browser, username: string, path = '/'): Promise<Page> {
  const { page } = await open(browser)
  await signIn(page, `${username}@ovation.example`, demoPassword, path)
  return page
}

/** Signs a browser in that shows nothing yet: whatever it opens finds the session. */
export async function signInUnseen(context: BrowserContext, email: string, secret: string) {
  await keepSession(context, 'token?grant_type=password', { email, password: secret })
}

/** The session that auth/v1 answers with, kept where the app's own client keeps it (AUTH-27). Replaces what the context had stored. */
async function keepSession(context: BrowserContext, path: string, body: object) {
  const answer = await context.request.post(`/auth/v1/${path}`, {
    data: body,
    headers: { apikey: readSecrets().anonKey },
  })
  expect(answer.status(), await answer.text()).toBe(200)
  const { origin, hostname } = new URL(answer.url())
  const session = { name: `sb-${hostname.split('.')[0]}-auth-token`, value: await answer.text() }
  await context.setStorageState({ cookies: [], origins: [{ origin, localStorage: [session] }] })
}

async function openFirst(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
}
