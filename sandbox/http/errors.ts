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
    { code, declineCode, message }: { code: string; declineCode: string; message: string },
    intent?: { latest_charge: string | null },
  ) =>
    new StripeError(
      402,
      {
        type: 'card_error',
        code,
        decline_code: declineCode,
        message,
        ...(intent && { payment_intent: intent }),
        ...(intent?.latest_charge && { charge: intent.latest_charge }),
      },
      { isOutcome: intent !== undefined },
    ),
  idempotencyMismatch: (key: string) =>
    new StripeError(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    }),
  unexpected: () =>
    new StripeError(500, { type: 'api_error', message: 'The sandbox met an error of its own. Its log says which.' }),
}
