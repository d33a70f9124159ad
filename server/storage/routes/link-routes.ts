import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { type ObjectPath, objectPathSchema } from './object-path.ts'

const token = { type: 'string' } as const

type Form = {
  /** The part of the address that says what a link to the object gives: `object`, `render/image`. */
  readonly form: string
  /** The query, beside the token. */
  readonly properties: Readonly<Record<string, object>>
  readonly required?: readonly string[]
}
type Linked<Query> = FastifyRequest<{ Params: ObjectPath; Querystring: Query }>
type Open<Query> = (request: Linked<Query>, reply: FastifyReply, token: string) => unknown

/**
 * What a signed link opens, GET and HEAD, at two addresses: `/{form}/sign/:bucket/*?token=`, the official client's, and
 * `/links/:token/{form}/:bucket/*`, that of stable links (sign-object.ts).
 */
export function addLinkRoutes<Query>(
  app: FastifyInstance,
  { form, properties, required = [] }: Form,
  open: Open<Query>,
) {
  const method: HTTPMethods[] = ['GET', 'HEAD']
  app.route<{ Params: ObjectPath; Querystring: { token: string } }>({
    method,
    url: `/${form}/sign/:bucket/*`,
    schema: {
      params: objectPathSchema,
      querystring: { type: 'object', required: ['token', ...required], properties: { ...properties, token } },
    },
    handler: (request, reply) => open(request as Linked<Query>, reply, request.query.token),
  })
  app.route<{ Params: ObjectPath & { token: string } }>({
    method,
    url: `/links/:token/${form}/:bucket/*`,
    schema: { params: objectPathSchema, querystring: { type: 'object', required, properties } },
    handler: (request, reply) => open(request as Linked<Query>, reply, request.params.token),
  })
}
