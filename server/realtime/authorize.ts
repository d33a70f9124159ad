import type { CallerResolver } from '../http/caller.ts'
import { GatewayError } from '../http/errors.ts'
import type { Caller } from '../postgres/caller.ts'
import type { ServiceDb } from '../postgres/caller-db.ts'
import type { Allowances } from './allowances.ts'
import { JoinRefused } from './join-config.ts'
import { bareTopic, publicRights, readTopicRights, type TopicRights } from './topic-rights.ts'

/** Whom a channel listens as, until when, and what it may do in its topic. An API key has no relevant expiry. */
export type Authorization = {
  readonly caller: Caller
  readonly expiresAt: Date | undefined
  readonly rights: TopicRights
}

type Authorizers = { readonly callers: CallerResolver; readonly service: ServiceDb; readonly allowances: Allowances }
type TopicRequest = { readonly topic: string; readonly isPrivate: boolean; readonly token: string | undefined }

/**
 * @param token a user's token, which outranks the key the connection was opened with.
 * @throws JoinRefused with the messages of Supabase's realtime, which clients show.
 */
export async function authorize(
  { callers, service, allowances }: Authorizers,
  byKey: Caller,
  { topic, isPrivate, token }: TopicRequest,
): Promise<Authorization> {
  const { caller, expiresAt } =
    token === undefined ? { caller: byKey, expiresAt: undefined } : await bearerOf(callers, token)
  const rights = isPrivate ? await readTopicRights(service, caller, topic) : publicRights(caller, allowances.settings)
  if (rights.hears.length === 0) {
    throw new JoinRefused(mayNotRead(topic))
  }
  return { caller, expiresAt, rights }
}

export const mayNotRead = (topic: string) =>
  `Unauthorized: You do not have permissions to read from this Channel topic: ${bareTopic(topic)}`

async function bearerOf(callers: CallerResolver, token: string): Promise<Pick<Authorization, 'caller' | 'expiresAt'>> {
  try {
    const caller = await callers.fromToken(token)
    const { exp } = caller.claims
    return { caller, expiresAt: typeof exp === 'number' ? new Date(exp * 1000) : undefined }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    if (error.code === 'session_ended') throw new JoinRefused(`InvalidJWTToken: ${error.message}`)
    throw new JoinRefused(
      error.code === 'jwt_expired'
        ? 'InvalidJWTToken: Token has expired'
        : 'MalformedJWT: The token provided is not a valid JWT',
    )
  }
}
