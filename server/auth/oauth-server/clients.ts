import { randomBytes } from 'node:crypto'
import { isLoopback } from '../../http/loopback.ts'
import { serviceRole } from '../../postgres/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { fragment, sql } from '../../postgres/sql.ts'
import { recordAudit } from '../audit.ts'
import type { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import type { RequestOrigin } from '../request-origin.ts'
import { hashToken } from '../sessions/sessions.ts'
import { isUuid } from '../uuid.ts'
import { readScopes } from './scopes.ts'

/** A row of auth.oauth_clients. */
export type OAuthClient = {
  readonly id: string
  readonly client_secret_hash: string | null
  readonly registration_type: 'dynamic' | 'manual'
  readonly token_endpoint_auth_method: AuthMethod
  readonly client_type: 'public' | 'confidential'
  readonly client_name: string
  readonly client_uri: string | null
  readonly logo_uri: string | null
  readonly redirect_uris: readonly string[]
  readonly grant_types: readonly string[]
  readonly scope: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

export const authMethods = ['none', 'client_secret_basic', 'client_secret_post'] as const
type AuthMethod = (typeof authMethods)[number]

const columns = fragment`c.id, c.client_secret_hash, c.registration_type, c.token_endpoint_auth_method, c.client_type,
  c.client_name, c.client_uri, c.logo_uri, c.redirect_uris, c.grant_types, c.scope, c.created_at, c.updated_at`

/** A client as the API returns it. The secret is known only when it was just created. */
export function renderClient(client: OAuthClient, secret?: string) {
  const { client_uri, logo_uri, scope } = client
  return {
    client_id: client.id,
    client_name: client.client_name,
    ...(secret && { client_secret: secret, client_secret_expires_at: 0 }),
    client_type: client.client_type,
    token_endpoint_auth_method: client.token_endpoint_auth_method,
    registration_type: client.registration_type,
    ...(client_uri && { client_uri }),
    ...(logo_uri && { logo_uri }),
    redirect_uris: client.redirect_uris,
    grant_types: client.grant_types,
    response_types: ['code'],
    ...(scope && { scope }),
    created_at: client.created_at,
    updated_at: client.updated_at,
  }
}

export async function findClient(db: CallerDb, id: string | undefined): Promise<OAuthClient | undefined> {
  if (!isUuid(id ?? '')) return undefined
  const [client] = await db.rows<OAuthClient>(sql`select ${columns} from auth.oauth_clients c where c.id = ${id}`)
  return client
}

/** @throws GatewayError 404 `oauth_client_not_found`. */
export async function requireClient(db: CallerDb, id: string): Promise<OAuthClient> {
  const client = await findClient(db, id)
  if (!client) throw authErrors.oauthClientNotFound()
  return client
}

/** A page of clients, newest first. */
export async function listClients({ db }: AuthContext, page: { readonly page: number; readonly perPage: number }) {
  const [counted] = await db.rows<{ total: number }>(sql`select count(*)::int as total from auth.oauth_clients`)
  const clients = await db.rows<OAuthClient>(sql`
    select ${columns} from auth.oauth_clients c order by c.created_at desc, c.id
    limit ${page.perPage} offset ${(page.page - 1) * page.perPage}`)
  return { clients, total: counted?.total ?? 0 }
}

/**
 * Registers an application. Contract: supabase/auth `internal/api/oauthserver/service.go`.
 * @throws GatewayError 400 `validation_failed`.
 */
export async function createClient(
  ctx: AuthContext,
  body: Body,
  registration: OAuthClient['registration_type'],
  visitor: RequestOrigin,
) {
  const redirectUris = readRedirectUris(body)
  if (!redirectUris) throw authErrors.validationFailed('redirect_uris is required')
  const method = readAuthMethod(body) ?? 'client_secret_basic'
  requireConsistentType(body, method)
  if (body.texts('response_types')?.some((type) => type !== 'code')) {
    throw authErrors.validationFailed('response_types can only be code')
  }
  const made = {
    name: readName(body) ?? new URL(redirectUris[0] ?? '').host,
    uri: readWebAddress(body, 'client_uri') ?? null,
    logo: readWebAddress(body, 'logo_uri') ?? null,
    grants: readGrantTypes(body) ?? ['authorization_code', 'refresh_token'],
    scope: readScopes(body)?.join(' ') ?? null,
  }
  const secret = method === 'none' ? undefined : drawSecret()
  return ctx.database.transaction(serviceRole, async (db) => {
    const [client] = await db.rows<OAuthClient>(sql`
      insert into auth.oauth_clients as c (registration_type, token_endpoint_auth_method, client_secret_hash, client_name,
        client_uri, logo_uri, redirect_uris, grant_types, scope)
      values (${registration}, ${method}, ${secret ? hashToken(secret) : null}, ${made.name}, ${made.uri}, ${made.logo},
        ${redirectUris}, ${made.grants}, ${made.scope}) returning ${columns}`)
    if (!client) throw new Error('a client was inserted without a row')
    await audit(db, 'oauth_client_created', client, visitor)
    return renderClient(client, secret)
  })
}

/** @throws GatewayError 404 `oauth_client_not_found`; 400 `validation_failed`. */
export async function updateClient(ctx: AuthContext, id: string, body: Body, visitor: RequestOrigin) {
  const method = readAuthMethod(body)
  const changes = {
    name: readName(body) ?? null,
    uri: readWebAddress(body, 'client_uri') ?? null,
    logo: readWebAddress(body, 'logo_uri') ?? null,
    redirects: readRedirectUris(body) ?? null,
    grants: readGrantTypes(body) ?? null,
  }
  return ctx.database.transaction(serviceRole, async (db) => {
    const known = await requireClient(db, id)
    if (method && (method === 'none') !== (known.client_type === 'public')) {
      throw authErrors.validationFailed(`token_endpoint_auth_method must fit a ${known.client_type} client`)
    }
    const [client] = await db.rows<OAuthClient>(sql`
      update auth.oauth_clients c set
        client_name = coalesce(${changes.name}, c.client_name), client_uri = coalesce(${changes.uri}, c.client_uri),
        logo_uri = coalesce(${changes.logo}, c.logo_uri), redirect_uris = coalesce(${changes.redirects}::text[], c.redirect_uris),
        grant_types = coalesce(${changes.grants}::text[], c.grant_types),
        token_endpoint_auth_method = coalesce(${method ?? null}, c.token_endpoint_auth_method), updated_at = now()
      where c.id = ${id} returning ${columns}`)
    if (!client) throw authErrors.oauthClientNotFound()
    await audit(db, 'oauth_client_modified', client, visitor)
    return renderClient(client)
  })
}

/** Its sessions end with it. @throws GatewayError 404 `oauth_client_not_found`. */
export async function deleteClient(ctx: AuthContext, id: string, visitor: RequestOrigin): Promise<void> {
  await ctx.database.transaction(serviceRole, async (db) => {
    const client = await requireClient(db, id)
    await db.rows(sql`delete from auth.oauth_clients where id = ${id}`)
    await audit(db, 'oauth_client_deleted', client, visitor)
  })
}

/** The old secret stops working. @throws GatewayError 404 `oauth_client_not_found`; 400 for a public client. */
export async function regenerateSecret(ctx: AuthContext, id: string, visitor: RequestOrigin) {
  const secret = drawSecret()
  return ctx.database.transaction(serviceRole, async (db) => {
    const known = await requireClient(db, id)
    if (known.client_type === 'public') throw authErrors.validationFailed('A public client has no secret')
    const [client] = await db.rows<OAuthClient>(sql`
      update auth.oauth_clients c set client_secret_hash = ${hashToken(secret)}, updated_at = now()
      where c.id = ${id} returning ${columns}`)
    if (!client) throw authErrors.oauthClientNotFound()
    await audit(db, 'oauth_client_secret_regenerated', client, visitor)
    return renderClient(client, secret)
  })
}

type ClientAct =
  | 'oauth_client_created'
  | 'oauth_client_modified'
  | 'oauth_client_deleted'
  | 'oauth_client_secret_regenerated'

function audit(
  db: CallerDb,
  action: ClientAct,
  { id, client_name, registration_type }: OAuthClient,
  visitor: RequestOrigin,
) {
  return recordAudit(db, action, undefined, visitor, { client_id: id, client_name, registration_type })
}

const drawSecret = (): string => randomBytes(32).toString('base64url')

function readName(body: Body): string | undefined {
  const name = body.text('client_name', 255)?.trim()
  if (name === '') throw authErrors.validationFailed('client_name must not be empty')
  if (name !== undefined && misleading.test(name)) {
    throw authErrors.validationFailed(
      'client_name must not contain line breaks or characters that change the direction of text',
    )
  }
  return name
}

/** The consent screen shows it inside a sentence that asks for the user's trust. */
const misleading = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

const maxAddressLength = 2048

/** Shown to users as a link, so a browser must be able to follow it. */
function readWebAddress(body: Body, name: string): string | undefined {
  const address = body.text(name, maxAddressLength)
  if (address === undefined || isWebAddress(address)) return address
  throw authErrors.validationFailed(`${name} must be an https URL`)
}

/** https anywhere, http only on this machine, in an unambiguous form: browsers treat \ as /, and accept URLs without //. */
function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[\x21-\x2e\x30-\x5b\x5d-\x7e][\x21-\x5b\x5d-\x7e]*$/i.test(text) || !URL.canParse(text))
    return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

function readRedirectUris(body: Body): readonly string[] | undefined {
  const uris = body.texts('redirect_uris')
  if (!uris) return undefined
  if (uris.length === 0 || uris.length > 10) {
    throw authErrors.validationFailed('redirect_uris must have from 1 to 10 items')
  }
  if (!uris.every((uri) => uri.length <= maxAddressLength && !uri.includes('#') && isWebAddress(uri))) {
    throw authErrors.validationFailed('redirect_uris must be https URLs, or http URLs of localhost, without a fragment')
  }
  return uris
}

function readGrantTypes(body: Body): readonly string[] | undefined {
  const types = body.texts('grant_types')
  if (!types) return undefined
  if (!types.includes('authorization_code') || types.some((type) => !grantTypes.includes(type))) {
    throw authErrors.validationFailed('grant_types must be authorization_code, with or without refresh_token')
  }
  return [...new Set(types)]
}

export const grantTypes: readonly string[] = ['authorization_code', 'refresh_token']

function readAuthMethod(body: Body): AuthMethod | undefined {
  const text = body.text('token_endpoint_auth_method')
  const type = body.text('client_type')
  if (text === undefined) return type === 'public' ? 'none' : undefined
  const method = authMethods.find((known) => known === text)
  if (!method) throw authErrors.validationFailed(`token_endpoint_auth_method must be one of ${authMethods.join(', ')}`)
  return method
}

function requireConsistentType(body: Body, method: AuthMethod) {
  const type = body.text('client_type')
  if (type === undefined || type === (method === 'none' ? 'public' : 'confidential')) return
  throw authErrors.validationFailed('client_type must be public or confidential, and fit token_endpoint_auth_method')
}
