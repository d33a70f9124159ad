import { everyPersona, type Persona } from '../personas.ts'
import { asApp, type Callable, everyone, everyoneBut, type Relation, signedIn, type Who } from '../relation.ts'
import { storyReaders } from './stories.ts'

/** Who reads each file's row, and so the file. Avatars and banners have public addresses that don't depend on these rows. */
const readers: Record<string, readonly Persona[]> = {
  'posts/creator/free': everyoneBut('blocked'),
  'posts/creator/basic': ['lower', 'subscriber', 'creator', 'admin'],
  'posts/creator/premium': ['subscriber', 'creator', 'admin'],
  'posts/creator/ppv': ['buyer', 'creator', 'admin'],
  'posts/creator/draft': ['creator', 'admin'],
  'posts/creator/kept': ['buyer', 'creator', 'admin'], // deleted from the vault; the post's other readers don't get it
  'posts/creator/clip': ['creator', 'admin'],
  'posts/creator/story-everyone': ['creator', 'admin'], // has the name of a story's file, but isn't one
  'posts/rival/free': everyone,
  'posts/rival/ppv': ['rival', 'admin'],
  'posts/rival/solo': ['rival', 'admin'],
  'posts/recluse/free': ['subscriber', 'recluse', 'admin'],
  'posts/recluse/hidden': ['subscriber', 'recluse', 'admin'],
  'posts/recluse/ppv': ['buyer', 'recluse', 'admin'],
  'messages/creator/unsent': ['creator'],
  'messages/creator/plain': ['creator', 'subscriber'], // its report is settled, so admins can't read it any more
  'messages/creator/secret': ['creator', 'buyer', 'admin'], // bought, and reported
  'messages/creator/locked': ['creator'], // reported by a user who has not bought it, and so could not see it
  'messages/creator/sample': ['creator', 'stranger', 'admin'], // the free preview of that message
  'messages/creator/offered': ['creator', 'applicant'], // of a mass message, whose copy one recipient has bought
  'messages/creator/teaser': ['creator', 'applicant', 'lower'],
  'messages/bystander/reported': ['rival', 'admin'],
  'products/creator/sold': ['buyer', 'creator', 'admin'],
  'products/creator/spare': ['creator', 'admin'], // part of no product
  ...Object.fromEntries(
    Object.entries(storyReaders).map(([story, who]) => [`stories/${story.replace('/', '/story-')}`, who]),
  ),
  'covers/creator/cover': ['creator', 'admin'], // public by its address, like those below
  'avatars/subscriber/picture': ['subscriber', 'admin'],
  'banners/subscriber/picture': ['subscriber', 'admin'],
  'front-page/admin/picture': ['admin'],
  'verification/applicant/front': ['applicant', 'admin'],
  'verification/applicant/back': ['applicant', 'admin'],
  'verification/stranger/front': ['stranger', 'admin'],
  'verification/stranger/back': ['stranger', 'admin'],
  'verification/suspended/front': ['admin'],
  'verification/suspended/back': ['admin'],
  'verification/creator/front': ['creator', 'admin'],
  'verification/creator/back': ['creator', 'admin'],
  'verification/creator/free': ['creator', 'admin'],
  'verification/creator/secret': ['creator', 'admin'], // has the name of a message's file, but isn't one
  'vault/creator/first': ['creator'], // the content of the clip; also what admins may see of posts, they see there only
}
const names = Object.keys(readers)
const ownerOf = (name: string) => name.split('/')[1] as Persona
/**
 * Verification images never change, even for their owner (D10), and neither do the files of messages, of products, of the front page, of stories, and of the vault,
 * which uploads fill.
 */
const isFixed = (name: string) => /^(?:verification|messages|products|front-page|stories|vault)\//.test(name)
/**
 * Final: part of an application, of a sent message, or of a product. Nobody moves or removes these, not even the service, because links and keys write
 * with its permissions. They are deleted with what they are part of, or with the account.
 */
const isFiled = (name: string) =>
  /^verification\/(applicant|stranger|creator)\/(front|back)$/.test(name) ||
  name === 'products/creator/sold' ||
  (name.startsWith('messages/') && name !== 'messages/creator/unsent')
const eachFile = (who: (name: string) => Who) => Object.fromEntries(names.map((name) => [name, who(name)]))
const owned = eachFile((name) => (isFixed(name) ? [] : [ownerOf(name)]))
const filed: Who = { refused: ['service'] }
/** Part of a post that somebody has bought, although its creator has deleted it. */
const isKept = (name: string) => name === 'posts/creator/kept'
const kept: Who = { refused: ['creator', 'service'] }
const heldBack = eachFile((name) => {
  if (isKept(name)) return kept
  if (isFiled(name)) return filed
  return isFixed(name) ? [] : { refused: [ownerOf(name)] }
})
const removable = eachFile((name) => {
  if (isKept(name)) return kept
  if (isFiled(name)) return filed
  return isFixed(name) ? [] : [ownerOf(name)]
})

export const files: Record<string, Relation> = {
  'storage.buckets': {
    named: 'select id as key, id as name from storage.buckets',
    anon: '',
    authenticated: '',
    select: {
      posts: [],
      avatars: [],
      banners: [],
      covers: [],
      verification: [],
      messages: [],
      'front-page': [],
      vault: [],
      products: [],
      stories: [],
    },
  },
  'storage.objects': {
    named: `select o.id as key, concat_ws('/', o.bucket_id, p.username, case o.bucket_id when 'vault' then o.version else o.path_tokens[2] end) as name
      from storage.objects o join private.profiles p on p.user_id::text = o.path_tokens[1]`,
    anon: 'select',
    authenticated: 'select insert update delete',
    select: Object.fromEntries(names.map((name) => [name, { yes: readers[name] ?? [], nothing: ['suspended'] }])),
    insert: {
      ...Object.fromEntries(
        ['posts', 'avatars', 'banners', 'covers', 'verification', 'messages'].map((bucket) => [
          `own folder of ${bucket}`,
          {
            sql: `insert into storage.objects (bucket_id, name) values ('${bucket}', {me.user} || '/new')`,
            who: { yes: signedIn, refused: ['suspended'] },
          },
        ]),
      ),
      'identity documents, by a connected app': {
        sql: `insert into storage.objects (bucket_id, name) select 'verification', {me.user} || '/new' from ${asApp}`,
        who: [],
      },
      'another’s folder': {
        sql: `insert into storage.objects (bucket_id, name) values ('posts', {bystander.user} || '/new')`,
        who: [],
      },
      'a picture of the front page': {
        sql: `insert into storage.objects (bucket_id, name) values ('front-page', 'picture/new')`,
        who: ['admin'],
      },
      'a picture of the front page, by a connected app': {
        sql: `insert into storage.objects (bucket_id, name) select 'front-page', 'picture/new' from ${asApp}`,
        who: [],
      },
      'own folder of vault': {
        sql: `insert into storage.objects (bucket_id, name) values ('vault', {me.user} || '/new')`,
        who: ['creator', 'rival', 'recluse', 'admin'],
      },
      'own folder of products': {
        sql: `insert into storage.objects (bucket_id, name) values ('products', {me.user} || '/new')`,
        who: ['creator', 'rival', 'recluse', 'admin'],
      },
      'another’s folder of products': {
        sql: `insert into storage.objects (bucket_id, name) values ('products', {creator.user} || '/new')`,
        who: ['creator'],
      },
      'another’s folder of vault': {
        sql: `insert into storage.objects (bucket_id, name) values ('vault', {creator.user} || '/new')`,
        who: ['creator'],
      },
      'own folder of stories': {
        sql: `insert into storage.objects (bucket_id, name) values ('stories', {me.user} || '/new')`,
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
    // A sent file stays with its message, and a sold one with its product; others may be removed.
    delete: { ...removable, 'messages/creator/unsent': ['creator'], 'products/creator/spare': ['creator'] },
  },
  'public.vault_files': {
    named: `select f.id as key, p.username || '/' || f.version as name from public.vault_files f join private.profiles p on p.id = f.creator_id`,
    anon: '',
    authenticated: 'select update(alt_text,caption,name)',
    select: { 'creator/first': ['creator'] },
    update: { 'what later uses begin with': { set: `caption = 'New'`, rows: { 'creator/first': ['creator'] } } },
  },
  'public.vault_albums': {
    named:
      'select a.id as key, p.username as name from public.vault_albums a join private.profiles p on p.id = a.creator_id',
    anon: '',
    authenticated: 'select insert(creator_id,name) update(cover_id,name) delete',
    select: { creator: ['creator'], rival: ['rival'] },
    insert: {
      'as themselves': {
        sql: `insert into public.vault_albums (creator_id, name) values ({me}, 'New')`,
        who: ['creator', 'recluse', 'rival', 'admin'],
      },
      'as the creator': {
        sql: `insert into public.vault_albums (creator_id, name) values ({creator}, 'New')`,
        who: ['creator'],
      },
    },
    update: {
      'the name': { set: `name = 'New'`, rows: { creator: ['creator'], rival: ['rival'] } },
      'the cover, a file of the creator': {
        set: 'cover_id = {vault/creator/first}',
        rows: { creator: ['creator'], rival: { refused: ['rival'] } },
      },
    },
    delete: { creator: ['creator'], rival: ['rival'] },
  },
  'public.vault_album_files': {
    named:
      'select f.album_id as key, p.username as name from public.vault_album_files f join private.profiles p on p.id = f.creator_id',
    key: 'album_id',
    anon: '',
    authenticated: 'select',
    select: { creator: ['creator'] },
  },
}

/** The personas by outcome, as `said` lists the outcomes. */
const eachPersona = (said: (persona: Persona) => string): Who => Object.groupBy(everyPersona, said)

const reads = (name: string, persona: Persona) =>
  persona === 'service' || (persona !== 'suspended' && (readers[name] ?? []).includes(persona))
/** A listing of the creator's folder: the last part of each readable name. */
const listed = (persona: Persona) =>
  names
    .flatMap((name) => (name.startsWith('posts/creator/') && reads(name, persona) ? [name.split('/')[2]] : []))
    .toSorted()
    .join(' ')

/** One file has the name of a file in another bucket; the rival wants watermarks. */
const asked = [
  'posts/creator/free',
  'posts/creator/premium',
  'posts/creator/ppv',
  'posts/rival/free',
  'posts/recluse/hidden',
]
const alike = (answer: string): Who => ({ rest: answer })
/** The name in the watermark of the rival's picture: none on the original. */
const markOf = (persona: Persona) => {
  if (persona === 'rival' || persona === 'admin' || persona === 'service') return ''
  return persona === 'visitor' || persona === 'ghost' ? '@rival' : `@${persona}`
}
const path = (name: string) => `{${ownerOf(name)}.user} || '/${name.split('/')[2]}'`
/** The function returns nothing: `used` means that it succeeded. */
const useUploadLink = (owner: string, session = 'null') =>
  `select 'used' from (select storage.use_upload_link(gen_random_uuid(), ${owner}, ${session}, now() + interval '1 hour')) called`
const callable = (calls: Callable['calls']): Callable => ({ anon: true, authenticated: true, calls })

/** Functions of `storage`, which every client may name: their answers follow the policies on files, or reveal nothing. */
export const fileFunctions: Record<string, Callable> = {
  'storage.extension(text)': callable({
    'of a path': { sql: `select storage.extension('a/b.jpg')`, who: alike('jpg') },
  }),
  'storage.filename(text)': callable({
    'of a path': { sql: `select storage.filename('a/b.jpg')`, who: alike('b.jpg') },
  }),
  'storage.foldername(text)': callable({
    'of a path': { sql: `select storage.foldername('a/b.jpg')`, who: alike('{a}') },
  }),
  'storage.list_by_name(text,text,boolean,text,boolean,integer)': callable({
    'of the creator’s posts': {
      sql: `select string_agg(storage.filename(name), ' ' order by name)
        from storage.list_by_name('posts', {creator.user} || '/', false, null, false, 100)`,
      who: eachPersona(listed),
    },
  }),
  'storage.list_by_time(text,text,boolean,text,timestamp with time zone,text,boolean,integer)': callable({
    'of the creator’s posts': {
      sql: `select string_agg(storage.filename(name), ' ' order by name)
        from storage.list_by_time('posts', {creator.user} || '/', false, 'created_at', null, null, false, 100)`,
      who: eachPersona(listed),
    },
  }),
  'storage.open_post_files(text[])': callable({
    'of five posts, and a file of none': {
      sql: `select string_agg(file, ' ' order by file collate "C")
        from (select storage.filename(name) || coalesce(mark, '') as file from storage.open_post_files(array[${[...asked, 'posts/creator/draft', 'posts/creator/kept'].map(path).join()}])) f`,
      who: eachPersona((persona) =>
        asked
          .filter((name) => reads(name, persona))
          .map((name) => `${name.split('/')[2]}${name.startsWith('posts/rival/') ? markOf(persona) : ''}`)
          .concat(persona === 'buyer' ? 'kept' : [])
          .toSorted()
          .join(' '),
      ),
    },
  }),
  // Called in the transaction that writes the object, as the user the link belongs to. The storage API checks the link's signature
  // first; the function checks whether its owner may still upload. No schema but public is reachable over HTTP.
  'storage.use_upload_link(uuid,uuid,uuid,timestamp with time zone)': callable({
    'of nobody': { sql: useUploadLink('null'), who: alike('used') },
    'of the caller’s own account': {
      sql: useUploadLink('{me.user}'),
      who: eachPersona((persona) => (persona === 'suspended' ? 'refused' : 'used')),
    },
    'of a suspended account': { sql: useUploadLink('{suspended.user}'), who: alike('refused') },
    'of an account that is gone': { sql: useUploadLink('gen_random_uuid()'), who: alike('refused') },
    'of a session that has ended': { sql: useUploadLink('{me.user}', 'gen_random_uuid()'), who: alike('refused') },
  }),
  'storage.watermark_on(text)': callable({
    'on a picture': { sql: `select storage.watermark_on(${path('posts/rival/free')})`, who: eachPersona(markOf) },
    'on a video': { sql: `select storage.watermark_on(${path('posts/rival/solo')})`, who: alike('') },
    'on a picture of who wants none': {
      sql: `select storage.watermark_on(${path('posts/creator/free')})`,
      who: alike(''),
    },
  }),
}
