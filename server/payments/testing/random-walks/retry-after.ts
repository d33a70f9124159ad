/** What a server that has too much to do asks of whoever comes: `Retry-After`, in seconds; undefined where it has answered. */
export const retryAfterSeconds = ({ status, headers }: Response): number | undefined =>
  status === 503 && headers.has('retry-after') ? Number(headers.get('retry-after')) : undefined
