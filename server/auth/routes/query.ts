import type { FastifyRequest } from 'fastify'

/** The query's plain strings. A repeated parameter counts as absent, because it is ambiguous. */
export function queryOf(request: FastifyRequest): Readonly<Record<string, string | undefined>> {
  const query = request.query as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  )
}
