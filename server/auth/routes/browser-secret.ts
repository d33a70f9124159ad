import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuthContext } from '../context.ts'

const name = 'ovation-sign-in'
const path = '/auth/v1'
const lifetimeSeconds = 600

/** A cookie that identifies the browser that began a sign-in elsewhere when it returns. */
export function keepSecret({ siteUrl }: AuthContext, reply: FastifyReply, secret: string): FastifyReply {
  const secure = siteUrl().startsWith('https:') ? '; Secure' : ''
  const cookie = `${name}=${secret}; Path=${path}; Max-Age=${lifetimeSeconds}; HttpOnly; SameSite=Lax${secure}`
  return reply.header('set-cookie', cookie)
}

export function forgetSecret(reply: FastifyReply): FastifyReply {
  return reply.header('set-cookie', `${name}=; Path=${path}; Max-Age=0; HttpOnly; SameSite=Lax`)
}

export function readSecret({ headers }: FastifyRequest): string | undefined {
  const pairs = headers.cookie?.split('; ') ?? []
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
