import { createHmac, hkdfSync } from 'node:crypto'
import { RateLimiter } from '../http/rate-limiter.ts'
import { buildSmsSender, type SmsSender } from '../mail/sms.ts'
import type { ServiceDb } from '../postgres/caller-db.ts'
import type { Services } from '../services.ts'
import { buildVault, type Vault } from './vault.ts'

/** What the parts of auth/v1 share. */
export type AuthContext = Services & {
  /** Accounts and sessions belong to no API role: nobody reads them through row-level security, this door works for everybody. */
  readonly db: ServiceDb
  readonly limits: Limits
  /** Undefined when no text message can be sent: there is no sign-in by phone then. */
  readonly sms: SmsSender | undefined
  readonly vault: Vault
  /** A keyed hash whose key only this installation has; `purpose` keeps its uses apart. 32 bytes in base64url. */
  keyedHash(purpose: string, text: string): string
}

type Limits = ReturnType<typeof buildLimits>

export function buildAuthContext(services: Services): AuthContext {
  const key = Buffer.from(hkdfSync('sha256', services.secrets.jwtSecret, '', 'ovation auth/v1 keyed hashes', 32))
  return {
    ...services,
    db: services.database.service,
    limits: buildLimits(services.config.auth),
    vault: buildVault(services.secrets),
    sms: buildSmsSender(services.config),
    keyedHash: (purpose, text) => createHmac('sha256', key).update(`${purpose}\0${text}`).digest('base64url'),
  }
}

function buildLimits({ rateLimits, mailPauseSeconds, sms }: Services['config']['auth']) {
  const inFiveMinutes = (uses: number) => new RateLimiter({ uses, windowSeconds: 300 })
  const inOneHour = (uses: number) => new RateLimiter({ uses, windowSeconds: 3600 })
  return {
    signUp: inFiveMinutes(rateLimits.signUp),
    signIn: inFiveMinutes(rateLimits.signIn),
    failedSignIn: inFiveMinutes(rateLimits.failedSignIn),
    tokenRefresh: inFiveMinutes(rateLimits.tokenRefresh),
    verify: inFiveMinutes(rateLimits.verify),
    verifyOfAddress: inFiveMinutes(rateLimits.verify),
    factorTries: inFiveMinutes(rateLimits.factorTries),
    emailSent: inOneHour(rateLimits.emailSent),
    smsSent: inOneHour(rateLimits.smsSent),
    anonymousUsers: inOneHour(rateLimits.anonymousUsers),
    /** For each address that mail goes to, whether it has an account or not: the limit must not tell. */
    emailPause: oneEach(mailPauseSeconds),
    smsPause: oneEach(sms.pauseSeconds),
  }
}

/** No pause: no limit. */
function oneEach(seconds: number) {
  return new RateLimiter({ uses: seconds === 0 ? Number.MAX_SAFE_INTEGER : 1, windowSeconds: Math.max(1, seconds) })
}
