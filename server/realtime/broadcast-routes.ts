import type { FastifyPluginAsync } from 'fastify'
import type { Caller } from '../postgres/caller.ts'
import type { ServiceDb } from '../postgres/caller-db.ts'
import type { Broadcast } from './broadcast-frame.ts'
import { roomOf } from './channel.ts'
import { realtimeErrors } from './errors.ts'
import type { Hub } from './hub.ts'
import type { RateMeter } from './rate-meter.ts'
import { readTtl, storeBroadcast } from './stored-broadcasts.ts'
import { readTopicRights } from './topic-rights.ts'

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
export const broadcastRoutes: FastifyPluginAsync<{ hub: Hub; service: ServiceDb; events: RateMeter }> = async (
  app,
  { hub, service, events },
) => {
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )

  async function requireSayable(caller: Caller, topicName: string) {
    const { says } = await readTopicRights(service, caller, topicName)
    if (!says.includes('broadcast')) throw realtimeErrors.privateTopic(topicName)
  }

  /** They count with what is said over sockets. */
  function requireFew(count: number) {
    if (!events.take(count)) throw realtimeErrors.tooManyBroadcasts()
  }

  const send = (topicName: string, isPrivate: boolean, broadcast: Broadcast) =>
    hub.broadcast(roomOf(`realtime:${topicName}`, isPrivate), broadcast)

  app.post<{ Body: { messages: Message[] } }>(
    '/api/broadcast',
    { schema: manySchema },
    async ({ body, caller }, reply) => {
      const privateTopics = new Set(body.messages.filter((message) => message.private).map(({ topic }) => topic))
      for (const name of privateTopics) await requireSayable(caller, name) // all of them, or none is sent
      requireFew(body.messages.length)
      for (const message of body.messages) {
        const payload = { type: 'broadcast', event: message.event, payload: message.payload ?? {} }
        send(message.topic, message.private === true, { kind: 'json', payload })
      }
      return reply.status(202).send()
    },
  )

  app.post<{
    Params: { topic: string; event: string }
    Querystring: { private?: string; persist?: string; 'persist[ttl]'?: string }
  }>('/api/broadcast/:topic/events/:event', { schema: oneSchema }, async ({ params, query, body, caller }, reply) => {
    const isPrivate = query.private === 'true'
    if (isPrivate) await requireSayable(caller, params.topic)
    requireFew(1)
    const broadcast: Broadcast = Buffer.isBuffer(body)
      ? { kind: 'bytes', event: params.event, encoding: 0, bytes: body }
      : { kind: 'json', payload: { type: 'broadcast', event: params.event, payload: body } }
    const ttl = readTtl(query.persist ?? (query['persist[ttl]'] && { ttl: query['persist[ttl]'] }))
    // First, for what can not be kept is not sent either.
    if (isPrivate && ttl !== undefined) await storeBroadcast(service, params.topic, broadcast, ttl)
    send(params.topic, isPrivate, broadcast)
    return reply.status(202).send()
  })
}
