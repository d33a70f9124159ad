import { type Community, dayMs } from '../community.ts'
import type { Table } from '../copy.ts'
import { writeMessage } from '../vocabulary.ts'

const messagesPerThread = 12

/**
 * Messages between fans and creators, including the creators' paid ones, which stay locked because nobody has bought them. Like messages
 * from before the record of authors, they have no salt and no line in it.
 */
export function messages(community: Community): Table[] {
  const { plan, chance, until } = community
  const threads = Math.ceil(plan.messages / messagesPerThread)
  return [
    {
      name: 'private.messages',
      columns: ['id', 'sender_id', 'recipient_id', 'body', 'is_paid', 'price', 'is_read', 'created_at', 'record_salt'],
      *rows() {
        for (let number = 0; number < plan.messages; number++) {
          const random = chance.random('messageId', number)
          const pair = chance.random('message', random.below(threads))
          const creator = pair.zipf(plan.creators)
          const fan = plan.creators + pair.below(plan.fans)
          const fromCreator = random.chance(0.5)
          const isPaid = fromCreator && random.chance(0.08)
          const inTurn = until - 300 * dayMs * (1 - number / plan.messages) - 60_000
          const at = Math.floor(Math.max(inTurn, community.joinedAt(fan)))
          const [sender, recipient] = fromCreator ? [creator, fan] : [fan, creator]
          yield [
            chance.uuid('messageId', number),
            community.profileId(sender),
            community.profileId(recipient),
            writeMessage(random),
            isPaid,
            isPaid ? random.pick([300, 500, 1000]) : 0,
            !isPaid && at < until - random.below(20) * dayMs,
            new Date(at),
            null,
          ]
        }
      },
    },
  ]
}
