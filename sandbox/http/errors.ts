export type ErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  param?: string
  decline_code?: string
  charge?: string
  payment_intent?: object
}

/** A refusal in Stripe's words and shape: `{ error: { type, code, message, param } }`. */
export class StripeError extends Error {
  readonly status: number
  readonly body: ErrorBody
  /** The refusal is an outcome: what the request left behind stays, and its idempotency key answers it again. */
  readonly isOutcome: boolean

  constructor(status: number, body: ErrorBody, { isOutcome = false } = {}) {
    super(body.message)
    this.status = status
    this.body = body
    this.isOutcome = isOutcome
  }
}

/** A refusal of `/oauth/token`, which has a shape of its own: `{ error, error_description }`. */
export class OAuthError extends Error {
  readonly code: 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type'

  constructor(code: OAuthError['code'], description: string) {
    super(description)
    this.code = code
  }
}

/** True for what the caller did wrong; everything else is a fault of the sandbox and belongs in the log. */
export const isRefusal = (error: Error & { statusCode?: number }): boolean =>
  error instanceof StripeError || error instanceof OAuthError || (error.statusCode ?? 500) < 500

const invalid = (code: string | undefined, message: string, param?: string, status = 400) =>
  new StripeError(status, { type: 'invalid_request_error', message, ...(code && { code }), ...(param && { param }) })

/** Every refusal of the API, with code, status and message decided together. */
export const errors = {
  noKey: () =>
    invalid(
      undefined,
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
      undefined,
      401,
    ),
  badKey: (shown: string) => invalid(undefined, `Invalid API Key provided: ${shown}`, undefined, 401),
  liveKey: () =>
    invalid(
      undefined,
      'This is the sandbox: it takes keys that begin with sk_test_ or rk_test_, never a live key.',
      undefined,
      401,
    ),
  accountInvalid: (account: string) =>
    invalid(
      'account_invalid',
      `The provided key does not have access to account '${account}' (or that account does not exist). Application access may have been revoked.`,
      undefined,
      403,
    ),
  badVersion: (version: string, spoken: string) =>
    invalid(undefined, `Invalid Stripe API version: ${version}. This sandbox speaks ${spoken}.`),
  unknownUrl: (method: string, path: string) =>
    invalid(
      undefined,
      `Unrecognized request URL (${method}: ${path}). The sandbox offers the part of the API that sandbox/README.md lists.`,
      undefined,
      404,
    ),
  malformed: (message: string) => invalid(undefined, message),
  unknownParam: (param: string) => invalid('parameter_unknown', `Received unknown parameter: ${param}`, param),
  missingParam: (param: string) => invalid('parameter_missing', `Missing required param: ${param}.`, param),
  emptyParam: (param: string) =>
    invalid(
      'parameter_invalid_empty',
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a field; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
      param,
    ),
  invalidInteger: (param: string, value: string) =>
    invalid('parameter_invalid_integer', `Invalid integer: ${value}`, param),
  invalidParam: (param: string, message: string, code?: string) => invalid(code, message, param),
  exclusive: (param: string, message: string) => invalid('parameters_exclusive', message, param),
  amountTooSmall: (param: string) => invalid('amount_too_small', 'Amount must be at least $0.50 usd', param),
  amountTooLarge: (param: string) => invalid('amount_too_large', 'Amount must be no more than $999,999.99', param),
  missing: (kind: string, id: string, param: string, status: 400 | 404) =>
    invalid('resource_missing', `No such ${kind}: '${id}'`, param, status),
  exists: (kind: string, id: string) => invalid('resource_already_exists', `${kind} already exists: '${id}'`, 'id'),
  notExpandable: (path: string) => invalid(undefined, `This property cannot be expanded (${path}).`, 'expand'),
  state: (message: string, code?: string, param?: string) => invalid(code, message, param),
  /** @param intent the payment that was tried, which then stays; without one the request leaves nothing behind. */
  cardDeclined: (
    { code, declineCode, message }: { code: string; declineCode?: string; message: string },
    intent?: { latest_charge: string | null },
  ) =>
    new StripeError(
      declineCode ? 402 : 400,
      {
        type: declineCode ? 'card_error' : 'invalid_request_error',
        code,
        ...(declineCode && { decline_code: declineCode }),
        message,
        ...(intent && { payment_intent: intent }),
        ...(declineCode && intent?.latest_charge && { charge: intent.latest_charge }),
      },
      { isOutcome: intent !== undefined },
    ),
  idempotencyMismatch: (key: string) =>
    new StripeError(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    }),
  platformBalance: () =>
    invalid(
      'balance_insufficient',
      'You have insufficient available funds in your Stripe account. Try adding funds directly to your available balance by creating Charges using the 4000000000000077 test card. See: https://docs.stripe.com/testing#available-balance',
    ),
  destinationBalance: () =>
    invalid('balance_insufficient', 'The connected account has insufficient funds to reverse this transfer.', 'amount'),
  keyTooLong: () =>
    new StripeError(400, { type: 'idempotency_error', message: 'Idempotency keys can have up to 255 characters.' }),
  keyInUse: (key: string) =>
    new StripeError(409, {
      type: 'idempotency_error',
      code: 'idempotency_key_in_use',
      message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
    }),
  lockTimeout: () =>
    invalid(
      'lock_timeout',
      'This object cannot be accessed right now because another API request or Stripe process is currently accessing it. If you see this error intermittently, retry the request. If you see this error frequently and are making multiple concurrent requests to a single object, make your requests serially or at a lower rate.',
      undefined,
      429,
    ),
  rateLimit: () =>
    invalid(
      'rate_limit',
      'Request rate limit exceeded. Learn more about rate limits here: https://docs.stripe.com/rate-limits.',
      undefined,
      429,
    ),
  unexpected: () =>
    new StripeError(500, { type: 'api_error', message: 'The sandbox met an error of its own. Its log says which.' }),
}
