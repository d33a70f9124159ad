import { GatewayError } from '../http/errors.ts'

/** Errors of feeds, as a line of plain text. */
export const feedErrors = {
  /** The same for an unknown creator or token and for one that may no longer be read. */
  noSuchFeed: () => new GatewayError(404, 'no_such_feed', 'There is no feed at this address.'),
  tooManyReads: (seconds: number) =>
    new GatewayError(429, 'rate_limited', `This feed is read too often. Try again in ${seconds} seconds.`, {
      headers: { 'Retry-After': String(seconds) },
    }),
} as const
