import { createHmac, createSecretKey, hkdfSync } from 'node:crypto'
import { buildSmsSender, type SmsSender } from '../mail/sms.ts'
import type { ServiceDb } from '../postgres/caller-db.ts'
import { buildRateLimits } from './rate-limits.ts'
import { buildVault, type Vault } from './sealed-secrets.ts'
import type { Services } from './services.ts'

/** The shared context of auth/v1. */
export type AuthContext = Services & {
  /** Accounts and sessions belong to no API role: nobody reads them through row-level security, so this API acts for everyone. */
  readonly db: ServiceDb
  readonly limits: ReturnType<typeof buildRateLimits>
  /** Undefined if no text message can be sent, which also turns phone sign-in off. */
  readonly sms: SmsSender | undefined
  readonly vault: Vault
  /** A keyed hash whose key only this installation has; `purpose` separates its uses. 32 bytes in base64url. */
  keyedHash(purpose: string, text: string): string
}

export function buildAuthContext(services: Services): AuthContext {
  const secret = hkdfSync('sha256', services.secrets.jwtSecret, '', 'ovation auth/v1 keyed hashes', 32)
  const key = createSecretKey(Buffer.from(secret)) // raw bytes would become a key each time, which costs more than the hash
  return {
    ...services,
    db: services.database.service,
    limits: buildRateLimits(services.config.auth, services.rateLimits),
    vault: buildVault(services.secrets),
    sms: buildSmsSender(services.config),
    keyedHash: (purpose, text) => createHmac('sha256', key).update(`${purpose}\0${text}`).digest('base64url'),
  }
}
