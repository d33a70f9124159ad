import type { EnvironmentReader } from '../environment-reader.ts'

export type SmsSettings = ReturnType<typeof readSmsSettings>

/** How text messages are sent: the operator's hook, Twilio, or (not in production) the outbox. Without any, phone sign-in is off. */
export function readSmsSettings(read: EnvironmentReader, production: boolean) {
  const hook = readHook(read)
  const twilio = readTwilio(read)
  const testCodes = readTestCodes(read)
  const enabled = read.flag('AUTH_EXTERNAL_PHONE_ENABLED', Boolean(hook ?? twilio) || testCodes.size > 0)
  read.require(
    !enabled || !production || hook || twilio || testCodes.size > 0,
    'AUTH_EXTERNAL_PHONE_ENABLED needs AUTH_HOOK_SEND_SMS_URI or AUTH_SMS_TWILIO_ACCOUNT_SID in production',
  )
  return {
    enabled,
    hook,
    twilio,
    /** For developers only: real users' codes must not end up in a folder. */
    outbox: !production,
    autoconfirm: read.flag('AUTH_SMS_AUTOCONFIRM', false),
    otpExpSeconds: read.integer('AUTH_SMS_OTP_EXP', 600, 1, 86_400),
    /** Pause between two messages to one number. */
    pauseSeconds: read.integer('AUTH_SMS_MAX_FREQUENCY', 60, 0, 86_400),
    /** Numbers that get no message and always have this code. */
    testCodes,
  }
}

function readHook(read: EnvironmentReader) {
  const uri = read.url('AUTH_HOOK_SEND_SMS_URI', ['http:', 'https:'])
  const secret = read.optional('AUTH_HOOK_SEND_SMS_SECRETS')
  if (uri === undefined) return undefined
  read.require(
    secret && /^v1,whsec_[A-Za-z0-9+/=]{16,}$/.test(secret),
    'AUTH_HOOK_SEND_SMS_SECRETS must be v1,whsec_ and a secret in base64',
  )
  return { uri, secret: secret?.replace('v1,whsec_', '') ?? '' }
}

function readTwilio(read: EnvironmentReader) {
  const accountSid = read.optional('AUTH_SMS_TWILIO_ACCOUNT_SID')
  const authToken = read.optional('AUTH_SMS_TWILIO_AUTH_TOKEN')
  const sender = read.optional('AUTH_SMS_TWILIO_MESSAGE_SERVICE_SID')
  const apiBase = read.url('AUTH_SMS_TWILIO_API_BASE', ['http:', 'https:']) ?? 'https://api.twilio.com'
  if (accountSid === undefined) return undefined
  read.require(authToken, 'AUTH_SMS_TWILIO_AUTH_TOKEN is needed when AUTH_SMS_TWILIO_ACCOUNT_SID is set')
  read.require(sender, 'AUTH_SMS_TWILIO_MESSAGE_SERVICE_SID is needed when AUTH_SMS_TWILIO_ACCOUNT_SID is set')
  return { accountSid, authToken: authToken ?? '', sender: sender ?? '', apiBase }
}

/** `15551234567=123456,…` */
function readTestCodes(read: EnvironmentReader): ReadonlyMap<string, string> {
  const pairs = read.list('AUTH_SMS_TEST_OTP', []).map((item) => item.replace(/^\+/, '').split(/[=:]/))
  read.require(
    pairs.every(([phone = '', code = '']) => /^[1-9]\d{6,14}$/.test(phone) && /^\d{6,10}$/.test(code)),
    'AUTH_SMS_TEST_OTP must be a list of number=code, such as 15551234567=123456',
  )
  return new Map(pairs.map(([phone = '', code = '']) => [phone, code]))
}
