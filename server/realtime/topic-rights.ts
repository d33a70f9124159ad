import type { Caller } from '../postgres/caller.ts'
import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'

export type Extension = 'broadcast' | 'presence'
/** What one user may do in one topic. */
export type TopicRights = { readonly hears: readonly Extension[]; readonly says: readonly Extension[] }

export const extensions: readonly Extension[] = ['broadcast', 'presence']
const everything: TopicRights = { hears: extensions, says: extensions }
const listening: TopicRights = { hears: extensions, says: [] }

/** A public topic is open to everyone with an API key; visitors may send to it unless the operator forbids it. */
export const publicRights = (
  { role }: Caller,
  { visitorsMaySend }: { readonly visitorsMaySend: boolean },
): TopicRights => (role === 'anon' && !visitorsMaySend ? listening : everything)

/** The name of a topic for policies and HTTP: without the prefix that it has on the socket. */
export const bareTopic = (topic: string): string => topic.replace(/^realtime:/, '')

/**
 * What the policies of `realtime.messages` allow this user in a private topic
 * (https://supabase.com/docs/guides/realtime/authorization). Needs the service, which inserts the rows that the policies are tested on.
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
