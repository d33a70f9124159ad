import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Caller } from '../postgres/caller.ts'
import type { ServiceDb } from '../postgres/caller-db.ts'
import { type Allowances, type Deliveries, describeExceeded, type Sender } from './allowances.ts'
import type { Broadcast } from './broadcast-frame.ts'
import { realtimeErrors } from './errors.ts'
import type { Hub } from './hub.ts'
import { roomOf } from './room.ts'
import { readTtl, storeBroadcast } from './stored-broadcasts.ts'
import { publicRights, readTopicRights } from './topic-rights.ts'

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

/** `POST /realtime/v1/api/broadcast`: broadcasts from clients without an open channel. The answer is 202 while they are in transit. */
export const broadcastRoutes: FastifyPluginAsync<{ hub: Hub; service: ServiceDb; allowances: Allowances }> = async (
  app,
  { hub, service, allowances },
) => {
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )

  async function requireSayable(caller: Caller, topicName: string, isPrivate: boolean) {
    const { says } = isPrivate
      ? await readTopicRights(service, caller, topicName)
      : publicRights(caller, allowances.settings)
    if (!says.includes('broadcast')) throw realtimeErrors.privateTopic(topicName)
  }

  /** They count together with messages over sockets. @throws GatewayError 429. */
  function requireFew({ ip, caller }: FastifyRequest, deliveries: readonly Deliveries[]): Sender {
    const address = allowances.ofAddress(ip)
    const sender = allowances.senderOf(caller, address)
    const isOwnServer = sender.length === 0
    if ((!isOwnServer && !address.events.take(deliveries.length)) || !allowances.events.take(deliveries.length)) {
      throw realtimeErrors.tooManyBroadcasts()
    }
    const exceeded = allowances.draw(sender, deliveries)
    if (exceeded) throw realtimeErrors.tooManyDeliveries(describeExceeded(exceeded))
    return sender
  }

  const roomFor = (topicName: string, isPrivate: boolean) => roomOf(`realtime:${topicName}`, isPrivate)

  app.post<{ Body: { messages: Message[] } }>('/api/broadcast', { schema: manySchema }, async (request, reply) => {
    const messages = request.body.messages.map(({ topic, event, payload = {}, private: isPrivate = false }) => {
      const room = roomFor(topic, isPrivate)
      return {
        topic,
        isPrivate,
        room,
        size: JSON.stringify(payload).length,
        payload: { type: 'broadcast', event, payload },
      }
    })
    const rooms = new Map(messages.map((message) => [message.room, message]))
    // All of them are sent, or none.
    for (const { topic, isPrivate } of rooms.values()) await requireSayable(request.caller, topic, isPrivate)
    const sender = requireFew(
      request,
      messages.map(({ room, size }) => hub.costOf(room, size)),
    )
    for (const { room, payload } of messages) hub.broadcast(room, { kind: 'json', payload }, sender)
    return reply.status(202).send()
  })

  app.post<{
    Params: { topic: string; event: string }
    Querystring: { private?: string; persist?: string; 'persist[ttl]'?: string }
  }>('/api/broadcast/:topic/events/:event', { schema: oneSchema }, async (request, reply) => {
    const { params, query, body } = request
    const isPrivate = query.private === 'true'
    const room = roomFor(params.topic, isPrivate)
    await requireSayable(request.caller, params.topic, isPrivate)
    const size = Buffer.isBuffer(body) ? body.length : (JSON.stringify(body)?.length ?? 0)
    const sender = requireFew(request, [hub.costOf(room, size)])
    const broadcast: Broadcast = Buffer.isBuffer(body)
      ? { kind: 'bytes', event: params.event, encoding: 0, bytes: body }
      : { kind: 'json', payload: { type: 'broadcast', event: params.event, payload: body } }
    const ttl = readTtl(query.persist ?? (query['persist[ttl]'] && { ttl: query['persist[ttl]'] }))
    // Stored first: a broadcast that can't be stored isn't sent either.
    if (isPrivate && ttl !== undefined) await storeBroadcast(service, params.topic, broadcast, ttl)
    hub.broadcast(room, broadcast, sender)
    return reply.status(202).send()
  })
}
