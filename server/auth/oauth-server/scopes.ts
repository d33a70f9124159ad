import type { Body } from '../body.ts'
import { authErrors } from '../errors.ts'

/** What an application can read about a user from id_token and userinfo. Scopes don't limit its actions: it acts as the user. */
export const knownScopes: readonly string[] = ['openid', 'profile', 'email', 'phone']
export const defaultScope = 'email'

/** The unique scopes in a text. @throws GatewayError 400 `validation_failed` for an unknown one. */
export function readScopes(body: Body): readonly string[] | undefined {
  const text = body.text('scope', 512)
  if (text === undefined) return undefined
  const scopes = splitScopes(text)
  if (scopes.some((scope) => !knownScopes.includes(scope))) {
    throw authErrors.validationFailed(`scope can have ${knownScopes.join(', ')}`)
  }
  return scopes.length > 0 ? scopes : undefined
}

export function splitScopes(text: string): readonly string[] {
  return [...new Set(text.split(' ').filter((scope) => scope !== ''))]
}

export function covers(granted: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((scope) => granted.includes(scope))
}
