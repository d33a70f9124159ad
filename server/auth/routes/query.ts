import type { FastifyRequest } from 'fastify'

/** The query's plain texts. A parameter given twice counts as absent: which one was meant is not ours to guess. */
export function queryOf(request: FastifyRequest): Readonly<Record<string, string | undefined>> {
  const query = request.query as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  )
}
