import type { FastifyPluginAsync } from 'fastify'
import type { Broadcast } from './broadcast-frame.ts'
import { realtimeErrors } from './errors.ts'
import type { Hub } from './hub.ts'

const topic = { type: 'string', minLength: 1, maxLength: 200 } as const
const event = { type: 'string', minLength: 1, maxLength: 200 } as const
const manySchema = {
  body: {
    type: 'object',
    required: ['messages'],
    properties: {
      messages: {
        type: 'array',
        maxItems: 100,
        items: {
          type: 'object',
          required: ['topic', 'event'],
          properties: { topic, event, private: { type: 'boolean' } },
        },
      },
    },
  },
} as const
const oneSchema = { params: { type: 'object', properties: { topic, event } } } as const

type Message = { topic: string; event: string; payload?: unknown; private?: boolean }

/** `POST /realtime/v1/api/broadcast`: broadcasts from whoever has no channel open. Answered with 202, as they are on their way. */
export const broadcastRoutes: FastifyPluginAsync<{ hub: Hub }> = async (app, { hub }) => {
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )

  function send(topicName: string, isPrivate: boolean, broadcast: Broadcast) {
    if (isPrivate) throw realtimeErrors.privateTopic(topicName)
    hub.broadcast(`realtime:${topicName}`, broadcast)
  }

  app.post<{ Body: { messages: Message[] } }>('/api/broadcast', { schema: manySchema }, async ({ body }, reply) => {
    for (const message of body.messages) {
      const payload = { type: 'broadcast', event: message.event, payload: message.payload ?? {} }
      send(message.topic, message.private === true, { kind: 'json', payload })
    }
    return reply.status(202).send()
  })

  app.post<{ Params: { topic: string; event: string }; Querystring: { private?: string } }>(
    '/api/broadcast/:topic/events/:event',
    { schema: oneSchema },
    async ({ params, query, body }, reply) => {
      const broadcast: Broadcast = Buffer.isBuffer(body)
        ? { kind: 'bytes', event: params.event, encoding: 0, bytes: body }
        : { kind: 'json', payload: { type: 'broadcast', event: params.event, payload: body } }
      send(params.topic, query.private === 'true', broadcast)
      return reply.status(202).send()
    },
  )
}
