import type { EnvironmentReader } from '../environment-reader.ts'
import { RateLimiter, type RateLimits } from '../http/rate-limiter.ts'
import { GuessLimit } from './guess-limit.ts'

type Settings = {
  readonly rateLimits: ReturnType<typeof readRateLimits>
  /** Pause between two emails to one address. */
  readonly mailPauseSeconds: number
  readonly sms: { readonly pauseSeconds: number }
}

/** Uses per five minutes, except sign-ups, messages, and anonymous accounts per hour. Counted by client address unless noted. */
export function readRateLimits(read: EnvironmentReader, production: boolean) {
  const limit = (name: string, fallback: number) => read.integer(name, fallback, 1, 1_000_000)
  return {
    /** Tests and demos create users by the hundred. */
    signUp: limit('AUTH_RATE_LIMIT_SIGN_UP', production ? 30 : 3000),
    signIn: limit('AUTH_RATE_LIMIT_SIGN_IN', 600),
    /** Wrong passwords for one account, from one address. */
    failedSignIn: limit('AUTH_RATE_LIMIT_FAILED_SIGN_IN', 20),
    /** The same from all addresses. */
    failedSignInOfAccount: limit('AUTH_RATE_LIMIT_FAILED_SIGN_IN_PER_ACCOUNT', 100),
    tokenRefresh: limit('AUTH_RATE_LIMIT_TOKEN_REFRESH', 1800),
    /** Attempts of codes and links; the same number again for each email address or phone number. */
    verify: limit('AUTH_RATE_LIMIT_VERIFY', 30),
    /** Codes for one email address or phone number, from all addresses. */
    verifyOfAccount: limit('AUTH_RATE_LIMIT_VERIFY_PER_ACCOUNT', 60),
    /** Challenges and attempts of second factors for one account, from one address. */
    factorTries: limit('AUTH_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY', 30),
    /** The same from all addresses. */
    factorTriesOfAccount: limit('AUTH_MFA_RATE_LIMIT_PER_ACCOUNT', 60),
    emailSent: limit('AUTH_RATE_LIMIT_EMAIL_SENT', 60),
    /** To one email address. */
    emailSentTo: limit('AUTH_RATE_LIMIT_EMAIL_SENT_PER_RECIPIENT', 20),
    smsSent: limit('AUTH_RATE_LIMIT_SMS_SENT', 30),
    /** To one number. */
    smsSentTo: limit('AUTH_RATE_LIMIT_SMS_SENT_PER_RECIPIENT', 10),
    samlAssertions: limit('AUTH_SAML_RATE_LIMIT_ASSERTION', 150),
    anonymousUsers: limit('AUTH_RATE_LIMIT_ANONYMOUS_USERS', 30),
    oauthAuthorize: limit('AUTH_RATE_LIMIT_OAUTH_AUTHORIZE', 150),
    oauthRegister: limit('AUTH_RATE_LIMIT_OAUTH_DYNAMIC_CLIENT_REGISTER', 10),
  }
}

/** The limits of auth/v1, each with its name in the exchange and its window. */
export function buildRateLimits({ rateLimits, mailPauseSeconds, sms }: Settings, limits: RateLimits) {
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
  return new RateLimiter({ name, uses: Number.MAX_SAFE_INTEGER, windowSeconds: 1 }, undefined) // no pause: no limit
}
