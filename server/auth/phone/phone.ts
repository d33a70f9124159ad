import type { Body } from '../body.ts'
import { authErrors } from '../errors.ts'

/** E.164, digits only, as in GoTrue. Undefined if the field is absent or empty. @throws GatewayError 400 `validation_failed`. */
export function readPhone(body: Body, name = 'phone'): string | undefined {
  const phone = body
    .text(name)
    ?.replaceAll(/[\s().-]/g, '')
    .replace(/^\+/, '')
  if (!phone) return undefined
  if (!/^[1-9]\d{6,14}$/.test(phone)) throw authErrors.invalidPhone()
  return phone
}
