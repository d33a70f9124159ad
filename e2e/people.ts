import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'

export const password = 'correct horse battery'

export type Visitor = { readonly context: BrowserContext; readonly page: Page; readonly email: string }

/** A person with a browser of their own. */
export async function open(browser: Browser): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext()
  return { context, page: await context.newPage() }
}

type NewPerson = {
  readonly username: string
  readonly displayName: string
  readonly wantsToCreate?: boolean
  readonly email?: string
}

/** Signs up on the screen, as a newcomer does. */
export async function signUp(
  browser: Browser,
  { username, displayName, wantsToCreate, email: given }: NewPerson,
): Promise<Visitor> {
  const { context, page } = await open(browser)
  const email = given ?? `${username}@example.com`
  await page.goto('/auth')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  const form = page.getByRole('tabpanel', { name: 'Sign Up' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Username').fill(username)
  await form.getByLabel('Display name').fill(displayName)
  await form.getByLabel('Password', { exact: true }).fill(password)
  if (wantsToCreate) await form.getByLabel('I want to be a creator and monetize my content').check()
  await form.getByLabel(/I am at least 18 years old and agree to the/).check()
  await form.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page).toHaveURL(/\/$/)
  return { context, page, email }
}

/** Signs in on the screen. */
export async function signIn(page: Page, email: string, secret: string) {
  await page.goto('/auth')
  const form = page.getByRole('tabpanel', { name: 'Sign In' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password', { exact: true }).fill(secret)
  await form.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL(/\/$/)
}
