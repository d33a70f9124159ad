import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** From where a request came, as sessions and the audit log keep it. */
export type Visitor = { readonly ip: string | null; readonly userAgent: string | null }

export function visitorOf(request: FastifyRequest): Visitor {
  // A proxy may hand on anything as the address, and an interface's zone is no part of one.
  const address = request.ip.split('%')[0] ?? ''
  return {
    ip: isIP(address) ? address : null,
    userAgent: request.headers['user-agent']?.slice(0, 512) ?? null,
  }
}
