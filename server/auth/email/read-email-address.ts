import type { Body } from '../body.ts'
import { authErrors } from '../errors.ts'

const maxLength = 254
/** The format that browsers accept in an email field (WHATWG HTML, "valid email address"). */
const wellFormed =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/** An address in lower case; undefined if the field is absent or empty. @throws GatewayError 400 `validation_failed`. */
export function readEmail(body: Body, name = 'email'): string | undefined {
  const email = body.text(name)?.trim().toLowerCase()
  if (!email) return undefined
  if (email.length > maxLength || !wellFormed.test(email)) throw authErrors.invalidEmail()
  return email
}
