import { paths } from '@ovation/contract/paths'
import type { EnvironmentReader } from '../environment-reader.ts'
import { readSmsSettings } from '../mail/sms-settings.ts'
import { readMailTemplates } from './email/operator-templates.ts'
import { readProviders } from './providers/provider-settings.ts'
import { readRateLimits } from './rate-limits.ts'
import { readSamlSettings } from './saml/settings.ts'

export type AuthSettings = ReturnType<typeof readAuthSettings>

/** GoTrue's own setting names with `AUTH_` in place of `GOTRUE_` (DESIGN §2), for operators who know GoTrue. */
export function readAuthSettings(
  read: EnvironmentReader,
  { hasSmtp, production }: { readonly hasSmtp: boolean; readonly production: boolean },
) {
  const sms = readSmsSettings(read, production)
  return {
    passwordMinLength: read.integer('AUTH_PASSWORD_MIN_LENGTH', 8, 6, 72),
    /** Rejects passwords that are known from leaks. GoTrue's switch, which is off there. */
    refusesLeakedPasswords: read.flag('AUTH_PASSWORD_HIBP_ENABLED', true),
    mailerAutoconfirm: read.flag('AUTH_MAILER_AUTOCONFIRM', !hasSmtp && !production),
    /** Lifetime of an access token in seconds. */
    jwtExp: read.integer('AUTH_JWT_EXP', 3600, 30, 604_800),
    refreshReuseIntervalSeconds: read.integer('AUTH_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL', 10, 0, 300),
    /** After a day, a session alone can't set a new password: it takes the old one or a code. */
    passwordChangeNeedsProof: read.flag('AUTH_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION', true),
    uriAllowList: read.list('AUTH_URI_ALLOW_LIST', []),
    disableSignup: read.flag('AUTH_DISABLE_SIGNUP', false),
    /** Accounts without an address, a number, or a password: off by default. */
    anonymousUsers: read.flag('AUTH_EXTERNAL_ANONYMOUS_USERS_ENABLED', false),
    /** Services with which users may sign in, by name. */
    providers: readProviders(read),
    saml: readSamlSettings(read),
    oauthServer: readOAuthServer(read),
    manualLinking: read.flag('AUTH_SECURITY_MANUAL_LINKING_ENABLED', true),
    wallets: {
      ethereum: read.flag('AUTH_EXTERNAL_WEB3_ETHEREUM_ENABLED', false),
      solana: read.flag('AUTH_EXTERNAL_WEB3_SOLANA_ENABLED', false),
    },
    /** How long a code or link from an email is valid. */
    otpExpSeconds: read.integer('AUTH_MAILER_OTP_EXP', 3600, 1, 604_800),
    /** Pause between two emails to one address. */
    mailPauseSeconds: read.integer('AUTH_SMTP_MAX_FREQUENCY', 60, 0, 86_400),
    mailTemplates: readMailTemplates(read),
    sms,
    /** How long the accounts' audit log is kept. */
    auditLogDays: read.integer('AUTH_AUDIT_LOG_DAYS', 400, 1, 36_500),
    mfa: readFactorSettings(read, sms.enabled),
    passkeys: read.flag('AUTH_PASSKEY_ENABLED', true),
    /** Further origins whose pages may use security keys and passkeys. */
    webauthnOrigins: readOrigins(read, 'AUTH_WEBAUTHN_RP_ORIGINS'),
    captcha: readCaptcha(read),
    /** The number of days after which an unconfirmed account is deleted. */
    unconfirmedDays: read.integer('AUTH_UNCONFIRMED_ACCOUNT_DAYS', 30, 1, 3650),
    rateLimits: readRateLimits(read, production),
  }
}

function readFactorSettings(read: EnvironmentReader, hasSms: boolean) {
  const kind = (name: string, fallback: boolean) => ({
    enroll: read.flag(`AUTH_MFA_${name}_ENROLL_ENABLED`, fallback),
    verify: read.flag(`AUTH_MFA_${name}_VERIFY_ENABLED`, fallback),
  })
  return {
    totp: kind('TOTP', true),
    phone: kind('PHONE', hasSms),
    webauthn: kind('WEB_AUTHN', true),
    /** An admin without a verified second factor has a user's permissions only. */
    requiredForAdmins: read.flag('AUTH_MFA_REQUIRED_FOR_ADMINS', false),
    maxFactors: read.integer('AUTH_MFA_MAX_ENROLLED_FACTORS', 10, 1, 100),
    challengeSeconds: read.integer('AUTH_MFA_CHALLENGE_EXPIRY_DURATION', 300, 1, 3600),
  }
}

/** Other applications sign users in with this installation, and act for them. */
function readOAuthServer(read: EnvironmentReader) {
  const path = read.matching(
    'AUTH_OAUTH_SERVER_AUTHORIZATION_PATH',
    /^\/(?!\/)[\w./-]*$/,
    'be a path of the site, such as /oauth/consent',
  )
  return {
    enabled: read.flag('AUTH_OAUTH_SERVER_ENABLED', false),
    /** Applications register themselves (RFC 7591). */
    dynamicRegistration: read.flag('AUTH_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION', false),
    /** The consent screen: the web app's, or the operator's own. */
    authorizationPath: path ?? paths.oauthConsent,
  }
}

const captchaServices = {
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
} as const

/** Undefined unless it is turned on. The URL can be set, for an own service with the same protocol. */
function readCaptcha(read: EnvironmentReader) {
  if (!read.flag('AUTH_SECURITY_CAPTCHA_ENABLED', false)) return undefined
  const service = read.choice('AUTH_SECURITY_CAPTCHA_PROVIDER', ['hcaptcha', 'turnstile'], 'hcaptcha')
  const secret = read.optional('AUTH_SECURITY_CAPTCHA_SECRET')
  read.require(secret, 'AUTH_SECURITY_CAPTCHA_SECRET is needed when AUTH_SECURITY_CAPTCHA_ENABLED is set')
  const url = read.url('AUTH_SECURITY_CAPTCHA_URL', ['https:', 'http:']) ?? captchaServices[service]
  return { secret: secret ?? '', url }
}

function readOrigins(read: EnvironmentReader, name: string): readonly string[] {
  const origins = read.list(name, [])
  read.require(
    origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
    `${name} must be a list of origins, such as https://app.example.com`,
  )
  return origins
}
