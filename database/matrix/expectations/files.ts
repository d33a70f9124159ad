import type { Persona } from '../personas.ts'
import { everyone, everyoneBut, type Relation, signedIn, type Who } from '../relation.ts'

/** Who reads each file's row, and so the file. Avatars and banners are served by their public address, not by these rows. */
const readers: Record<string, readonly Persona[]> = {
  'posts/creator/free': everyoneBut('blocked'),
  'posts/creator/basic': ['lower', 'subscriber', 'creator', 'admin'],
  'posts/creator/premium': ['subscriber', 'creator', 'admin'],
  'posts/creator/ppv': ['buyer', 'creator', 'admin'],
  'posts/creator/draft': ['creator', 'admin'],
  'posts/creator/clip': ['creator', 'admin'],
  'posts/rival/free': everyone,
  'posts/rival/ppv': ['rival', 'admin'],
  'posts/rival/solo': ['rival', 'admin'],
  'posts/recluse/free': ['subscriber', 'recluse', 'admin'],
  'posts/recluse/hidden': ['subscriber', 'recluse', 'admin'],
  'posts/recluse/ppv': ['buyer', 'recluse', 'admin'],
  'messages/creator/unsent': ['creator'],
  'messages/creator/plain': ['creator', 'subscriber'], // the report of it is settled: no admin's business any more
  'messages/creator/secret': ['creator', 'buyer', 'admin'], // bought, and reported
  'messages/creator/locked': ['creator'], // reported by who has not bought it, and so did not see it
  'messages/bystander/reported': ['rival', 'admin'],
  'avatars/subscriber/picture': ['subscriber', 'admin'],
  'banners/subscriber/picture': ['subscriber', 'admin'],
  'verification/applicant/front': ['applicant', 'admin'],
  'verification/applicant/back': ['applicant', 'admin'],
  'verification/stranger/front': ['stranger', 'admin'],
  'verification/stranger/back': ['stranger', 'admin'],
  'verification/suspended/front': ['admin'],
  'verification/suspended/back': ['admin'],
  'verification/creator/front': ['creator', 'admin'],
  'verification/creator/back': ['creator', 'admin'],
  'verification/creator/free': ['creator', 'admin'],
  'verification/creator/secret': ['creator', 'admin'], // named like a file of a message, and none
}
const names = Object.keys(readers)
const ownerOf = (name: string) => name.split('/')[1] as Persona
/** What was handed in for verification stays as it is, even for its owner (D10); and what is for a message is never changed. */
const isFixed = (name: string) => name.startsWith('verification/') || name.startsWith('messages/')
const eachFile = (who: (name: string) => Who) => Object.fromEntries(names.map((name) => [name, who(name)]))
const owned = eachFile((name) => (isFixed(name) ? [] : [ownerOf(name)]))
const heldBack = eachFile((name) => (isFixed(name) ? [] : { refused: [ownerOf(name)] }))

export const files: Record<string, Relation> = {
  'storage.buckets': {
    named: 'select id as key, id as name from storage.buckets',
    anon: '',
    authenticated: '',
    select: { posts: [], avatars: [], banners: [], verification: [], messages: [] },
  },
  'storage.objects': {
    named: `select o.id as key, concat_ws('/', o.bucket_id, p.username, o.path_tokens[2]) as name
      from storage.objects o join private.profiles p on p.user_id::text = o.path_tokens[1]`,
    anon: 'select',
    authenticated: 'select insert update delete',
    select: Object.fromEntries(names.map((name) => [name, { yes: readers[name] ?? [], nothing: ['suspended'] }])),
    insert: {
      ...Object.fromEntries(
        ['posts', 'avatars', 'banners', 'verification', 'messages'].map((bucket) => [
          `own folder of ${bucket}`,
          {
            sql: `insert into storage.objects (bucket_id, name) values ('${bucket}', {me.user} || '/new')`,
            who: { yes: signedIn, refused: ['suspended'] },
          },
        ]),
      ),
      'another’s folder': {
        sql: `insert into storage.objects (bucket_id, name) values ('posts', {bystander.user} || '/new')`,
        who: [],
      },
      'no folder': { sql: `insert into storage.objects (bucket_id, name) values ('posts', 'new')`, who: [] },
      'no bucket of ours': {
        sql: `insert into storage.objects (bucket_id, name) values ('other', {me.user} || '/new')`,
        who: { '23503 objects_bucket_id_fkey': ['service'], rest: 'refused' },
      },
    },
    update: {
      'what is known of it': { set: `user_metadata = '{}'`, rows: owned },
      'moved to another’s folder': { set: `name = {bystander.user} || '/moved-' || id`, rows: heldBack, blind: false },
      'moved among the ID images': {
        set: `bucket_id = 'verification', name = name || id`,
        rows: heldBack,
        blind: false,
      },
    },
    // What was sent goes with its message; what was not may be taken back.
    delete: { ...owned, 'messages/creator/unsent': ['creator'] },
  },
}
