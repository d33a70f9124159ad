import type { Caller } from '../postgres/caller.ts'
import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'

export type Extension = 'broadcast' | 'presence'
/** What one person may do in one topic. */
export type TopicRights = { readonly hears: readonly Extension[]; readonly says: readonly Extension[] }

export const extensions: readonly Extension[] = ['broadcast', 'presence']
const everything: TopicRights = { hears: extensions, says: extensions }
const listening: TopicRights = { hears: extensions, says: [] }

/** A public topic is open to everybody who has a key; visitors may send to it unless the operator doesn't want that. */
export const publicRights = (
  { role }: Caller,
  { visitorsMaySend }: { readonly visitorsMaySend: boolean },
): TopicRights => (role === 'anon' && !visitorsMaySend ? listening : everything)

/** The name of a topic as policies and HTTP know it: without the prefix that it has on the socket. */
export const bareTopic = (topic: string): string => topic.replace(/^realtime:/, '')

/**
 * What the policies of `realtime.messages` let this person do in a private topic
 * (https://supabase.com/docs/guides/realtime/authorization). Needs the service: it lays the rows that the person is asked about.
 */
export async function readTopicRights(
  service: ServiceDb,
  { role, claims }: Caller,
  topic: string,
): Promise<TopicRights> {
  const [row] = await service.rows<{ rights: TopicRights }>(
    sql`select realtime.topic_rights(${bareTopic(topic)}, ${role}, ${JSON.stringify(claims)}) as rights`,
  )
  return row?.rights ?? { hears: [], says: [] }
}
