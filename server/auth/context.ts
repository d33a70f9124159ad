import { createHmac, createSecretKey, hkdfSync } from 'node:crypto'
import { RateLimiter, type RateLimits } from '../http/rate-limiter.ts'
import { buildSmsSender, type SmsSender } from '../mail/sms.ts'
import type { ServiceDb } from '../postgres/caller-db.ts'
import { GuessLimit } from './guess-limit.ts'
import type { Services } from './services.ts'
import { buildVault, type Vault } from './vault.ts'

/** The shared context of auth/v1. */
export type AuthContext = Services & {
  /** Accounts and sessions belong to no API role: nobody reads them through row-level security, so this API acts for everyone. */
  readonly db: ServiceDb
  readonly limits: Limits
  /** Undefined if no text message can be sent, which also turns phone sign-in off. */
  readonly sms: SmsSender | undefined
  readonly vault: Vault
  /** A keyed hash whose key only this installation has; `purpose` separates its uses. 32 bytes in base64url. */
  keyedHash(purpose: string, text: string): string
}

type Limits = ReturnType<typeof buildLimits>

export function buildAuthContext(services: Services): AuthContext {
  const secret = hkdfSync('sha256', services.secrets.jwtSecret, '', 'ovation auth/v1 keyed hashes', 32)
  const key = createSecretKey(Buffer.from(secret)) // raw bytes would become a key each time, which costs more than the hash
  return {
    ...services,
    db: services.database.service,
    limits: buildLimits(services.config.auth, services.rateLimits),
    vault: buildVault(services.secrets),
    sms: buildSmsSender(services.config),
    keyedHash: (purpose, text) => createHmac('sha256', key).update(`${purpose}\0${text}`).digest('base64url'),
  }
}

function buildLimits({ rateLimits, mailPauseSeconds, sms }: Services['config']['auth'], limits: RateLimits) {
  const inFiveMinutes = (name: string, uses: number) => limits.named(name, { uses, windowSeconds: 300 })
  const inOneHour = (name: string, uses: number) => limits.named(name, { uses, windowSeconds: 3600 })
  const guesses = (name: string, uses: number, usesOfAccount: number) =>
    new GuessLimit(inFiveMinutes(name, uses), inFiveMinutes(`${name}-of-account`, usesOfAccount))
  return {
    signUp: inOneHour('sign-up', rateLimits.signUp),
    signIn: inFiveMinutes('sign-in', rateLimits.signIn),
    failedSignIn: guesses('failed-sign-in', rateLimits.failedSignIn, rateLimits.failedSignInOfAccount),
    tokenRefresh: inFiveMinutes('token-refresh', rateLimits.tokenRefresh),
    verify: inFiveMinutes('verify', rateLimits.verify),
    codeGuesses: guesses('code-guesses', rateLimits.verify, rateLimits.verifyOfAccount),
    factorTries: guesses('factor-tries', rateLimits.factorTries, rateLimits.factorTriesOfAccount),
    samlAssertions: inFiveMinutes('saml-assertions', rateLimits.samlAssertions),
    emailSent: inOneHour('email-sent', rateLimits.emailSent),
    emailSentTo: inOneHour('email-sent-to', rateLimits.emailSentTo),
    smsSent: inOneHour('sms-sent', rateLimits.smsSent),
    smsSentTo: inOneHour('sms-sent-to', rateLimits.smsSentTo),
    anonymousUsers: inOneHour('anonymous-users', rateLimits.anonymousUsers),
    oauthAuthorize: inFiveMinutes('oauth-authorize', rateLimits.oauthAuthorize),
    oauthRegister: inFiveMinutes('oauth-register', rateLimits.oauthRegister),
    /** Counts each recipient, with or without an account, for each client address, so that the limit reveals no accounts. */
    emailPause: oneEach(limits, 'email-pause', mailPauseSeconds),
    smsPause: oneEach(limits, 'sms-pause', sms.pauseSeconds),
  }
}

function oneEach(limits: RateLimits, name: string, seconds: number): RateLimiter {
  if (seconds > 0) return limits.named(name, { uses: 1, windowSeconds: seconds })
  return new RateLimiter(name, { uses: Number.MAX_SAFE_INTEGER, windowSeconds: 1 }, undefined) // no pause: no limit
}
