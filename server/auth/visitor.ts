import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { addressKey } from '../http/client-address.ts'
import { namesOf } from './sessions/sign-in-names.ts'

/** From where a request came, as sessions and the audit log keep it, and what the device can prove of itself. */
export type Visitor = {
  readonly ip: string | null
  readonly userAgent: string | null
  /** Proves that the device signed in by this name before (known-device.ts). */
  readonly deviceOf?: FastifyRequest['deviceOf']
  /** Remembers the device once the answer is sent. */
  readonly signedInAs?: (account: Parameters<typeof namesOf>[0]) => void
}

export function visitorOf(request: FastifyRequest): Visitor {
  // A proxy may hand on anything as the address, and an interface's zone is no part of one.
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

/** The key under which limits count the visitor's place: an IPv6 network of 64 bits is one. */
export const placeOf = ({ ip }: Pick<Visitor, 'ip'>): string => addressKey(ip ?? '')
