import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import * as clients from './clients.ts'
import { press, tabTo } from './keyboard.ts'
import { lookAt } from './look.ts'
import { open, password } from './people.ts'

type Tokens = { access_token: string; refresh_token: string; scope: string; error?: string }

/** An OAuth app: a site with a callback page. */
async function startApp(name: string) {
  const server = createServer((_request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>${name}</title><h1>Back at ${name}</h1>`),
  ).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const callback = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  const { data, error } = await clients.service().auth.admin.oauth.createClient({
    client_name: name,
    client_uri: 'https://reader.example',
    redirect_uris: [callback],
    token_endpoint_auth_method: 'none',
  })
  if (!data) throw error
  const verifier = randomBytes(32).toString('base64url')
  const token = async (fields: Record<string, string>) => {
    const response = await fetch(`${process.env.E2E_URL}/auth/v1/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: data.client_id, ...fields }),
    })
    return (await response.json()) as Tokens
  }
  return {
    /** The URL to which the app sends a browser. */
    address: (overrides: Record<string, string> = {}) =>
      `/auth/v1/oauth/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: data.client_id,
        redirect_uri: callback,
        scope: 'profile email',
        state: 'where I was',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...overrides,
      })}`,
    exchange: (code: string) =>
      token({ grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }),
    refresh: (refreshToken: string) => token({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    callback,
    close: () => server.close(),
  }
}

const reads = async ({ access_token: token }: Tokens) =>
  (await fetch(`${process.env.E2E_URL}/rest/v1/profiles?limit=1`, { headers: { authorization: `Bearer ${token}` } }))
    .status

test('a user signs in, gives an app access to their account, and revokes it in Settings, which ends its tokens [D35, GEN-03, GEN-35]', async ({
  browser,
}) => {
  const app = await startApp('Reader')
  const email = 'olive@example.com'
  await clients.signUp('olive', 'Olive Reed')
  const { context, page } = await open(browser)
  const signInOnScreen = async (address: string) => {
    await expect(page).toHaveURL(/\/auth\?next=%2Foauth%2Fconsent/)
    const form = page.getByRole('tabpanel', { name: 'Sign In' })
    await form.getByLabel('Email').fill(address)
    await form.getByLabel('Password', { exact: true }).fill(password)
    await form.getByRole('button', { name: 'Sign In', exact: true }).click()
  }

  await test.step('a visitor signs in first, and returns to the request', async () => {
    await page.goto(app.address())
    await signInOnScreen(email)
    await expect(page.getByRole('heading', { name: 'Reader wants to use your account' })).toBeVisible()
    await expect(page.getByText(`Signed in as ${email}`)).toBeVisible()
    await lookAt(page, 'oauth-consent')
  })

  await test.step('Cancel returns to the app without access', async () => {
    await press(page, page.getByRole('button', { name: 'Cancel' }))
    await expect(page.getByRole('heading', { name: 'Back at Reader' })).toBeVisible()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'where I was',
    })
  })

  const tokens = await test.step('Allow returns to the app with a code for tokens', async () => {
    await page.goto(app.address())
    await tabTo(page, page.getByRole('button', { name: 'Allow' }))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Back at Reader' })).toBeVisible()
    const { searchParams } = new URL(page.url())
    expect(searchParams.get('state')).toBe('where I was')
    const first = await app.exchange(searchParams.get('code') ?? '')
    expect(first.scope).toBe('profile email')
    const second = await app.refresh(first.refresh_token)
    expect(await reads(second)).toBe(200)
    return second
  })

  await test.step('an invalid request shows the reason', async () => {
    await page.goto(app.address({ client_id: crypto.randomUUID() }))
    await expect(page.getByRole('heading', { name: 'This app is not known here' })).toBeVisible()
    await lookAt(page, 'oauth-unknown-app')
    await page.goto(`/oauth/consent?authorization_id=${crypto.randomUUID()}`)
    await expect(page.getByRole('heading', { name: 'This request is no longer open' })).toBeVisible()
  })

  await test.step('the user can switch accounts and return to the request', async () => {
    await clients.signUp('otis', 'Otis Reed')
    await page.goto(app.address({ scope: 'phone' }))
    await page.getByRole('button', { name: 'Use another account' }).click()
    await signInOnScreen('otis@example.com')
    await expect(page.getByText('Signed in as otis@example.com')).toBeVisible()
    await page.getByRole('button', { name: 'Use another account' }).click()
    await signInOnScreen(email)
    await expect(page.getByText(`Signed in as ${email}`)).toBeVisible()
  })

  await test.step('Settings lists the app; removing it ends its access at once', async () => {
    await page.goto('/settings')
    await expect(page.getByText('Reader', { exact: true })).toBeVisible()
    await lookAt(page, 'settings-connected-apps')
    await press(page, page.getByRole('button', { name: 'Remove Reader' }))
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Remove' }))
    await expect(page.getByText('No app can use your account.')).toBeVisible()
    await expect.poll(() => reads(tokens)).toBe(401)
    expect((await app.refresh(tokens.refresh_token)).error).toBe('invalid_grant')
  })
  await context.close()
  app.close()
})
