import type { Persona } from '../personas.ts'
import { people, type Relation } from '../relation.ts'

const peopleBut = (...without: Persona[]) => people.filter((each) => !without.includes(each))
/** The topic of two users, as SQL. */
const conversation = (one: string, other: string) =>
  `'conversation:' || least(${one}, ${other}) || ':' || greatest(${one}, ${other})`
const saying = (extension: 'broadcast' | 'presence', topic: string) =>
  `insert into realtime.messages (topic, extension) values (${topic}, '${extension}')`

/** Private topics of realtime/v1: reading a row means receiving in the topic, writing one means sending to it. */
export const topics: Record<string, Relation> = {
  'realtime.messages': {
    named: `select id as key, event || ': ' || extension as name from realtime.messages`,
    anon: 'select insert',
    authenticated: 'select insert',
    select: {
      'creator with subscriber: broadcast': ['creator', 'subscriber'],
      'creator with subscriber: presence': ['creator', 'subscriber'],
      'creator with blocked: broadcast': [],
      'of creator: broadcast': ['creator'],
      'of creator: presence': peopleBut('blocked'),
      'of rival: presence': ['rival'], // hides its online status
      'of recluse: presence': ['recluse'], // a private profile
      'of nobody: presence': [],
      'call of buyer: broadcast': ['buyer', 'creator'],
      'call of lower, too early: broadcast': [],
      'in disorder: broadcast': [],
    },
    insert: {
      'typing to the rival': {
        sql: saying('broadcast', conversation('{me}', '{rival}')),
        who: peopleBut('rival'),
      },
      'typing to the creator': {
        sql: saying('broadcast', conversation('{me}', '{creator}')),
        who: peopleBut('creator', 'blocked'),
      },
      'typing in the conversation of others': {
        sql: saying('broadcast', conversation('{buyer}', '{lower}')),
        who: ['buyer', 'lower'],
      },
      'being in a conversation': {
        sql: saying('presence', conversation('{me}', '{stranger}')),
        who: peopleBut('stranger', 'rival', 'recluse'),
      },
      'being in a conversation across a block': {
        sql: saying('presence', conversation('{creator}', '{blocked}')),
        who: [],
      },
      'being online': {
        sql: saying('presence', `'user:' || {me}`),
        who: peopleBut('rival', 'recluse'),
      },
      'being online as the creator': {
        sql: saying('presence', `'user:' || {creator}`),
        who: ['creator'],
      },
      'speaking in a call': {
        sql: saying('broadcast', `'session:' || {call}`),
        who: ['buyer', 'creator'],
      },
      'being in a call': {
        sql: saying('presence', `'session:' || {call}`),
        who: ['buyer', 'creator'],
      },
      'speaking in a call before its time': {
        sql: saying('broadcast', `'session:' || {booking}`),
        who: [],
      },
      'sending to the user’s own topic': {
        sql: saying('broadcast', `'user:' || {me}`),
        who: [],
      },
      'speaking in a topic that is not ours': {
        sql: saying('broadcast', `'lobby'`),
        who: [],
      },
    },
  },
}
