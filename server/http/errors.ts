/**
 * The one error that APIs throw. Each API renders it in its own format (`<folder>/render-error.ts`), which separates the format
 * from the code, status, and sentence.
 */
export class GatewayError extends Error {
  readonly status: number
  readonly code: string
  readonly details: string | undefined
  readonly hint: string | undefined
  /** Extra response headers, for example `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, message: string, more: GatewayErrorExtras = {}) {
    super(message, { cause: more.cause })
    this.name = 'GatewayError'
    this.status = status
    this.code = code
    this.details = more.details
    this.hint = more.hint
    this.headers = more.headers ?? {}
  }
}

export type GatewayErrorExtras = {
  readonly details?: string
  readonly hint?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** Errors that every API may return. An API's own codes are in its own catalog (`<folder>/errors.ts`); docs/errors.md lists all. */
export const errors = {
  invalidApiKey: () =>
    new GatewayError(401, 'invalid_api_key', 'Invalid API key', {
      hint: "Double check the apikey header: it must be one of this installation's keys.",
    }),
  invalidToken: (details?: string) =>
    new GatewayError(401, 'bad_jwt', 'Invalid or malformed access token', details ? { details } : {}),
  expiredToken: () => new GatewayError(401, 'jwt_expired', 'JWT expired'),
  wrongAudience: () => new GatewayError(401, 'bad_audience', 'JWT not in audience'),
  sessionEnded: () => new GatewayError(401, 'session_ended', 'This session has ended. Sign in again.'),
  insufficientAal: () => new GatewayError(403, 'insufficient_aal', 'Two-factor verification required'),
  notFound: (path: string) => new GatewayError(404, 'not_found', `No such path: ${path}`),
  bodyTooLarge: (details?: string) =>
    new GatewayError(413, 'body_too_large', 'The request body is too large', details ? { details } : {}),
  anonymousBodyTooLarge: (maxBytes: number) => errors.bodyTooLarge(`At most ${maxBytes / 1024} KB without signing in`),
  unsupportedMediaType: () =>
    new GatewayError(415, 'unsupported_media_type', "This path doesn't accept that content type"),
  malformedBody: (reason: string) => new GatewayError(400, 'bad_json', reason),
  overloaded: () =>
    new GatewayError(503, 'overloaded', 'The server is busy. Try again in a moment.', {
      headers: { 'Retry-After': '1' },
    }),
  databaseTimeUsed: (seconds: number) =>
    new GatewayError(
      429,
      'rate_limited',
      `You've reached the limit of database time. Try again in ${seconds} seconds.`,
      {
        headers: { 'Retry-After': String(seconds) },
      },
    ),
  tooManyWrites: (what: string, uses: number, seconds: number) =>
    new GatewayError(429, 'rate_limited', `The limit is ${uses} ${what} an hour. Try again in ${seconds} seconds.`, {
      headers: { 'Retry-After': String(seconds) },
    }),
  tooManyBodies: () =>
    new GatewayError(429, 'rate_limited', "You're sending too many large requests at once. Try again in a moment.", {
      headers: { 'Retry-After': '1' },
    }),
  tooManyDrawings: () =>
    new GatewayError(429, 'rate_limited', "You're requesting too many new images at once. Try again in a moment.", {
      headers: { 'Retry-After': '2' },
    }),
  answerTooLarge: (bytes: number) =>
    new GatewayError(400, '54000', `The response is larger than ${bytes} bytes.`, {
      hint: 'Request fewer rows with limit, or fewer columns with select.',
    }),
  databaseUnavailable: (cause: unknown) =>
    new GatewayError(503, 'database_unavailable', "We can't reach the database. Try again in a moment.", {
      headers: { 'Retry-After': '2' },
      cause,
    }),
  internal: () => new GatewayError(500, 'internal', "Something went wrong on our end. We've logged it."),
} as const
