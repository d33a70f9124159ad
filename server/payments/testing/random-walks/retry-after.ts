/** The seconds that an overloaded server asks clients to wait (`Retry-After`); undefined if it has answered. */
export const retryAfterSeconds = ({ status, headers }: Response): number | undefined =>
  status === 503 && headers.has('retry-after') ? Number(headers.get('retry-after')) : undefined
