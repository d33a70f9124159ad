import { setTimeout as sleep } from 'node:timers/promises'
import { sentMassMessage, waitingMassMessage } from './content/mass-messages.ts'
import type { DemoPerson } from './demo-client.ts'

const dayMs = 86_400_000
const deliveryTimeoutMs = 10_000

/** A mass message that a creator's followers have got, and one that waits for its time. Created once. */
export async function seedMassMessages(creator: DemoPerson, fan: DemoPerson) {
  const { data: mine } = await creator.client.from('mass_messages').select('content, status').throwOnError()
  const isThere = (content: string) => mine.some((message) => message.content === content && message.status !== 'draft')
  const send = async ({ content, condition, priceCents }: typeof sentMassMessage, send_at?: string) => {
    const { data: mass_message_id } = await creator.client
      .rpc('save_mass_message', {
        content,
        price_cents: priceCents ?? null,
        file_ids: [],
        preview_index: null,
        audience: { include: [condition], exclude: [] },
        skip_owners: false,
        skip_recent_hours: null,
        ends_at: null,
      })
      .throwOnError()
    await creator.client
      .rpc('send_mass_message', { mass_message_id, ...(send_at && { send_at, time_zone: 'UTC' }) })
      .throwOnError()
  }
  if (!isThere(waitingMassMessage.content))
    await send(waitingMassMessage, new Date(Date.now() + waitingMassMessage.inDays * dayMs).toISOString())
  if (isThere(sentMassMessage.content)) return
  await send(sentMassMessage)
  await readOnArrival(fan, sentMassMessage.content)
}

/** A job delivers it. */
async function readOnArrival({ client, profileId }: DemoPerson, content: string) {
  const giveUp = Date.now() + deliveryTimeoutMs
  while (Date.now() < giveUp) {
    const { data: read } = await client
      .from('messages')
      .update({ is_read: true })
      .eq('recipient_id', profileId)
      .eq('content', content)
      .select('id')
      .throwOnError()
    if (read.length > 0) return
    await sleep(200)
  }
}
