import { paymentTexts } from '@ovation/contract/texts/payments'
import { GatewayError } from '../http/errors.ts'

/** A function's own error: the fields of every API error (http/errors.ts), plus the invalid field and what a screen needs besides. */
export class FunctionError extends GatewayError {
  /** The body member that is invalid, for example `price_cents`. */
  readonly field: string | undefined
  /** More members of the response, for example `instructions`. */
  readonly more: Readonly<Record<string, unknown>>

  constructor(status: number, code: string, message: string, extras: FunctionErrorExtras = {}) {
    super(status, code, message, extras.cause === undefined ? {} : { cause: extras.cause })
    this.field = extras.field
    this.more = extras.more ?? {}
  }
}

type FunctionErrorExtras = {
  readonly field?: string
  readonly more?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** The errors of this API, besides http/errors.ts and payments/errors.ts. Users see the sentences as they are. */
export const functionErrors = {
  unknownFunction: (name: string) => new FunctionError(404, 'unknown_function', `Function ${name} not found`),
  wrongMethod: () => new FunctionError(405, 'method_not_allowed', 'Call functions with POST'),
  bodyNotJson: () => new FunctionError(400, 'bad_json', 'The body must be a JSON object'),
  invalidField: (field: string, message: string) => new FunctionError(400, 'invalid_field', message, { field }),
  /** Functions move money and delete accounts. */
  notForApps: () => new FunctionError(403, 'insufficient_scope', "Connected apps can't do this"),
  signInRequired: () => new FunctionError(401, 'sign_in_required', paymentTexts.signInRequired),
  /** ERR-01 */
  profileMissing: () => new FunctionError(404, 'profile_missing', 'Could not find your profile'),
  forbidden: () => new FunctionError(403, 'forbidden', "You don't have permission to do this"),
  /** An admin suspended the user: nothing runs on their behalf. */
  suspended: () => new FunctionError(403, 'account_suspended', 'Your account is suspended'),
  wrongPassword: () => new FunctionError(403, 'wrong_password', 'Incorrect password', { field: 'password' }),
  passwordMissing: () =>
    new FunctionError(409, 'password_missing', "Your account doesn't have a password yet. Set one, then try again."),
  tooManyAttempts: (seconds: number) =>
    new FunctionError(429, 'too_many_attempts', `Too many attempts. Try again in ${seconds} seconds.`),
  userNotFound: () => new FunctionError(404, 'user_not_found', 'User not found'),
  ownAccount: () => new FunctionError(409, 'own_account', 'Delete your own account in Settings'),
  jobNotFound: () => new FunctionError(404, 'job_not_found', "This job hasn't failed or no longer exists"),
  jobWaits: () => new FunctionError(409, 'job_waits', 'An identical job is already queued'),
  emailTaken: () =>
    new FunctionError(409, 'email_taken', 'Another account already uses this email', { field: 'newEmail' }),
  customDomainsDisabled: () =>
    new FunctionError(409, 'custom_domains_disabled', "This site doesn't offer custom domains"),
  domainMissing: () => new FunctionError(404, 'domain_missing', 'Add a domain first'),
  domainIsOurs: () =>
    new FunctionError(409, 'domain_is_ours', "This is this site's own address. Use a domain of yours."),
  domainUnreadable: () =>
    new FunctionError(502, 'domain_unreadable', "Couldn't read your domain's records. Try again in a few minutes."),
  linkNotFound: () => new FunctionError(404, 'link_not_found', 'This link no longer exists'),
  callClosed: () => new FunctionError(403, 'call_closed', "You can't join this call right now"),
  exportLinkExpired: () =>
    new FunctionError(403, 'export_link_expired', 'This link has expired. Request your data again.'),
  statementTooLong: (most: number) =>
    new FunctionError(409, 'statement_too_long', `This month has more than ${most} payments. Download it as CSV.`),
  providerUnavailable: (cause: unknown) =>
    new FunctionError(502, 'provider_unavailable', paymentTexts.providerUnavailable, { cause }),
  /** @param reason the provider's own sentence, which is for developers: added to the message, not shown instead. */
  providerRefused: (reason: string, cause: unknown) =>
    new FunctionError(502, 'provider_refused', paymentTexts.providerRefused, { cause, more: { details: reason } }),
  /** ONB-18 */
  connectNotEnabled: (cause: unknown) => {
    const { message, instructions, learnMoreUrl } = paymentTexts.connectNotEnabled
    return new FunctionError(409, 'connect_not_enabled', message, {
      cause,
      more: { message, instructions, learn_more_url: learnMoreUrl },
    })
  },
} as const
