import type pg from 'pg'
import { demoConversations } from '../content/conversations.ts'
import { dateNotifications } from './date-notifications.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

/** The conversations behind the printed logins, the last word of each at its day. Runs in a transaction. */
export async function fillInboxes(client: pg.Client, now: number): Promise<void> {
  const rows = demoConversations.flatMap(({ between, day, unread = 0, messages }) =>
    messages.map(({ by, content }, index) => ({
      sender: by,
      recipient: between.find((name) => name !== by),
      content,
      at: new Date(now - day * dayMs - (messages.length - 1 - index) * 17 * minuteMs),
      read: index < messages.length - unread,
    })),
  )
  await client.query(
    `insert into private.messages (sender_id, recipient_id, body, is_read, created_at)
     select s.id, r.id, m.content, m.read, m.at
     from jsonb_to_recordset($1) as m (sender text, recipient text, content text, at timestamptz, read boolean)
     join private.profiles s on s.username = m.sender join private.profiles r on r.username = m.recipient
     order by m.at`,
    [JSON.stringify(rows)],
  )
  await dateNotifications(
    client,
    `select n.id, m.created_at as at, m.is_read
     from public.notifications n join private.messages m on m.id::text = n.data ->> 'message_id'
     where n.created_at = now()`,
  )
}
