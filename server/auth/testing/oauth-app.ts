import { createHash, randomBytes } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import type { TestGateway } from '../../testing/gateway.ts'

export const redirectUri = 'https://app.example/callback'

export type TokenAnswer = {
  readonly access_token?: string
  readonly refresh_token?: string
  readonly scope?: string
  readonly id_token?: string
  readonly error?: string
  readonly error_description?: string
}

type Registration = { client_name?: string; redirect_uris?: string[]; scope?: string; grant_types?: string[] } & {
  token_endpoint_auth_method?: 'none' | 'client_secret_basic' | 'client_secret_post'
}

/** Another application, as its developer would write it, with separate steps so that a test can do one of them wrongly. */
export async function registerApp(gateway: TestGateway, registration: Registration = {}) {
  const { data, error } = await gateway.service.auth.admin.oauth.createClient({
    client_name: 'Reader',
    redirect_uris: [redirectUri],
    ...registration,
  })
  if (!data) throw error
  const verifier = randomBytes(32).toString('base64url')
  const app = {
    id: data.client_id,
    secret: data.client_secret,
    verifier,
    /** The URL to which the application sends a browser. */
    address(overrides: Record<string, string> = {}) {
      const asked = {
        response_type: 'code',
        client_id: data.client_id,
        redirect_uri: registration.redirect_uris?.[0] ?? redirectUri,
        scope: 'email',
        state: 'a state',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...overrides,
      }
      const given = Object.entries(asked).filter(([, value]) => value !== '')
      return `${gateway.url}/auth/v1/oauth/authorize?${new URLSearchParams(given)}`
    },
    /** The redirect from there. */
    async begin(overrides: Record<string, string> = {}): Promise<URL> {
      const response = await fetch(app.address(overrides), { redirect: 'manual' })
      return new URL(response.headers.get('location') ?? `about:${await response.text()}`)
    },
    async beginId(overrides: Record<string, string> = {}): Promise<string> {
      return (await app.begin(overrides)).searchParams.get('authorization_id') ?? ''
    },
    /** The redirect once the user has decided. */
    async ask(client: SupabaseClient, action: 'approve' | 'deny' = 'approve', overrides: Record<string, string> = {}) {
      const id = await app.beginId(overrides)
      const { oauth } = client.auth
      const { data: answer, error: refusal } =
        action === 'approve' ? await oauth.approveAuthorization(id) : await oauth.denyAuthorization(id)
      if (!answer) throw refusal
      return new URL(answer.redirect_url)
    },
    async post(fields: Record<string, string | undefined>, headers: Record<string, string> = {}) {
      const given = Object.entries(fields).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      )
      const response = await fetch(`${gateway.url}/auth/v1/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams(Object.fromEntries(given)),
        headers,
      })
      return { status: response.status, headers: response.headers, body: (await response.json()) as TokenAnswer }
    },
    exchange(code: string, overrides: Record<string, string | undefined> = {}) {
      return app.post({
        grant_type: 'authorization_code',
        code,
        redirect_uri: registration.redirect_uris?.[0] ?? redirectUri,
        code_verifier: verifier,
        client_id: data.client_id,
        client_secret: data.client_secret,
        ...overrides,
      })
    },
    refresh(refreshToken = '', overrides: Record<string, string | undefined> = {}) {
      return app.post({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: data.client_id,
        client_secret: data.client_secret,
        ...overrides,
      })
    },
    async connect(client: SupabaseClient, overrides: Record<string, string> = {}) {
      const code = (await app.ask(client, 'approve', overrides)).searchParams.get('code') ?? ''
      return { code, tokens: (await app.exchange(code)).body }
    },
  }
  return app
}
