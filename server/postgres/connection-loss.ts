import pg from 'pg'

/**
 * Whether the connection to the server broke, or the server ends it: it stops or starts (57P01 to 57P03, class 08). Otherwise by the messages
 * of Node and pg.
 */
export function isConnectionLoss(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (error instanceof pg.DatabaseError) return /^(57P0[1-3]|08...)$/.test(String(code))
  return (
    code === 'ECONNREFUSED' ||
    code === 'ECONNRESET' ||
    code === 'EPIPE' ||
    /^(Connection terminated|Client has encountered a connection error|Client was closed)/.test(String(message))
  )
}
