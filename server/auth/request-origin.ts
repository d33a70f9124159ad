import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { addressKey } from '../http/client-address.ts'
import { namesOf } from './sessions/sign-in-names.ts'

/** The origin of a request, as stored in sessions and the audit log, and what the device can prove about itself. */
export type RequestOrigin = {
  readonly ip: string | null
  readonly userAgent: string | null
  /** Proves that the device signed in by this name before (known-device.ts). */
  readonly deviceOf?: FastifyRequest['deviceOf']
  /** Remembers the device once the response is sent. */
  readonly signedInAs?: (account: Parameters<typeof namesOf>[0]) => void
}

export function originOf(request: FastifyRequest): RequestOrigin {
  // A proxy may pass on anything as the address, and an interface's zone isn't part of one.
  const address = request.ip.split('%')[0] ?? ''
  return {
    ip: isIP(address) ? address : null,
    userAgent: request.headers['user-agent']?.slice(0, 512) ?? null,
    deviceOf: request.deviceOf,
    signedInAs: (account) => {
      request.signedInAs = namesOf(account)
    },
  }
}

/** The key under which limits count the visitor's address: an IPv6 /64 network is one. */
export const addressKeyOf = ({ ip }: Pick<RequestOrigin, 'ip'>): string => addressKey(ip ?? '')
