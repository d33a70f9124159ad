import type { World } from '../world.ts'

/** One message in each kind of topic. */
export async function buildTopics(world: World): Promise<void> {
  const pair = (one: string, other: string) =>
    `'conversation:' || least({${one}}, {${other}}) || ':' || greatest({${one}}, {${other}})`
  const said = [
    ['creator with subscriber', 'broadcast', pair('creator', 'subscriber')],
    ['creator with subscriber', 'presence', pair('creator', 'subscriber')],
    ['creator with blocked', 'broadcast', pair('creator', 'blocked')],
    ['of creator', 'broadcast', `'user:' || {creator}`],
    ['of creator', 'presence', `'user:' || {creator}`],
    ['of rival', 'presence', `'user:' || {rival}`],
    ['of recluse', 'presence', `'user:' || {recluse}`],
    ['of nobody', 'presence', `'user:' || {nobody}`],
    ['call of buyer', 'broadcast', `'session:' || {call}`],
    ['call of lower, too early', 'broadcast', `'session:' || {booking}`],
    ['in disorder', 'broadcast', `'conversation:' || greatest({creator}, {lower}) || ':' || least({creator}, {lower})`],
  ]
  for (const [event, extension, topic] of said) {
    await world.run(
      `insert into realtime.messages (topic, extension, event) values (${topic}, '${extension}', '${event}')`,
    )
  }
}
