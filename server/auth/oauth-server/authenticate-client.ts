import type { FastifyRequest } from 'fastify'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { timingSafeEqualText } from '../../timing-safe-equal.ts'
import { authErrors } from '../errors.ts'
import { hashToken } from '../sessions/sessions.ts'
import { findClient, type OAuthClient } from './clients.ts'

type Form = { text(name: string): string | undefined }
type Credentials = { readonly id: string | undefined; readonly secret: string | undefined }

/**
 * Identifies the application: by HTTP Basic or by the body (RFC 6749 section 2.3.1); a public client sends only its id.
 * @throws GatewayError 401 `invalid_client`; 400 `invalid_request` for two methods at once.
 */
export async function authenticateClient(db: CallerDb, request: FastifyRequest, form: Form): Promise<OAuthClient> {
  const { id, secret } = readCredentials(request, form)
  const client = await findClient(db, id)
  if (!client || !proves(client, secret)) throw authErrors.oauthInvalidClient()
  return client
}

function proves({ client_secret_hash }: OAuthClient, secret: string | undefined): boolean {
  if (client_secret_hash === null) return secret === undefined
  return secret !== undefined && timingSafeEqualText(hashToken(secret), client_secret_hash)
}

function readCredentials({ headers }: FastifyRequest, form: Form): Credentials {
  const id = form.text('client_id')
  const secret = form.text('client_secret') || undefined
  const basic = /^Basic +(\S+)$/i.exec(headers.authorization?.trim() ?? '')?.[1]
  if (basic === undefined) return { id, secret }
  if (secret !== undefined) throw authErrors.oauthInvalidRequest('Use one way of client authentication')
  const [, name = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(basic, 'base64').toString()) ?? []
  const proven = decodeForm(name)
  if (id !== undefined && id !== proven) throw authErrors.oauthInvalidRequest('client_id must be the one of the header')
  return { id: proven, secret: decodeForm(password) || undefined }
}

/** Both halves are form-encoded before they are joined. */
function decodeForm(text: string): string {
  return new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? ''
}
