import type { Persona } from '../personas.ts'
import { everyone, everyoneBut, people, type Relation, type Who } from '../relation.ts'

const authors: Persona[] = ['creator', 'rival', 'recluse', 'admin']
/** Who may open each post; everyone else sees the locked preview, or nothing of a private profile. */
const whole: Record<string, readonly Persona[]> = {
  'creator/free': everyoneBut('blocked'), // across a block, a creator's posts are hidden like those of a private profile
  'creator/basic': ['lower', 'subscriber', 'creator', 'admin', 'service'],
  'creator/premium': ['subscriber', 'creator', 'admin', 'service'],
  'creator/ppv': ['buyer', 'creator', 'admin', 'service'],
  'rival/free': everyone,
  'rival/solo': ['rival', 'admin', 'service'],
  'rival/ppv': ['rival', 'admin', 'service'],
  'recluse/free': ['subscriber', 'recluse', 'admin', 'service'],
  'recluse/hidden': ['subscriber', 'recluse', 'admin', 'service'],
  'recluse/ppv': ['buyer', 'recluse', 'admin', 'service'],
}
const open = (title: string) => whole[title] ?? []
/** Users who may open the post, and so react to it. */
const opening = (title: string, ...without: Persona[]) =>
  people.filter((each) => open(title).includes(each) && !without.includes(each))

const eachPost = (who: (title: string) => Who) =>
  Object.fromEntries(Object.keys(whole).map((title) => [title, who(title)]))
const authorOf = (title: string): Persona =>
  title.startsWith('rival') ? 'rival' : title.startsWith('recluse') ? 'recluse' : 'creator'

const reaction = (table: string) => `select x.id as key, u.username || ' on ' || p.title as name
  from public.${table} x join private.profiles u on u.id = x.user_id join private.posts p on p.id = x.post_id`

export const posts: Record<string, Relation> = {
  'public.posts': {
    named: 'select id as key, title as name from private.posts',
    // Judged by the visible content, not by is_locked; the two must agree.
    shape: `case
      when content like '%SECRET%' and cardinality(media_urls) = 1 and media_previews::text like '%SECRET%' and not is_locked then 'whole'
      when content like '%SECRET%' and cardinality(media_urls) = 2 and media_count = 2 and cardinality(media_types) = 2
        and jsonb_array_length(media_previews) = 2 and not is_locked then 'with kept file'
      when content not like '%SECRET%' and media_previews::text not like '%SECRET%' and media_urls = '{}' and is_locked and media_count = 1 and media_types in ('{image}', '{video}') then 'locked'
      else 'leak' end || case when admin_note is not null then ' noted' else '' end`,
    anon: 'select',
    authenticated:
      'select insert(content,cover_path,creator_id,id,media_types,media_urls,post_type,ppv_price,required_tier_id,title) update(admin_note,admin_note_is_public,content,cover_path,is_pinned,title) delete',
    select: {
      ...eachPost((title) => ({
        whole: open(title),
        nothing: title.startsWith('creator') ? ['blocked'] : [],
        rest: 'locked',
      })),
      'creator/premium': {
        'whole noted': ['creator', 'admin', 'service'],
        whole: ['subscriber'],
        nothing: ['blocked'],
        rest: 'locked',
      },
      'creator/ppv': {
        'with kept file': ['buyer'],
        whole: open('creator/ppv').filter((each) => each !== 'buyer'),
        nothing: ['blocked'],
        rest: 'locked',
      },
      'rival/free': { 'whole noted': everyone },
      'recluse/free': { whole: open('recluse/free'), rest: 'nothing' },
      'recluse/hidden': { whole: open('recluse/hidden'), rest: 'nothing' },
      // A subscriber of the recluse sees that there is a post to buy.
      'recluse/ppv': { whole: open('recluse/ppv'), locked: ['subscriber'], rest: 'nothing' },
    },
    insert: {
      'a free one as themselves': {
        sql: `insert into public.posts (creator_id, content) values ({me}, 'Hello')`,
        who: { yes: authors, rest: 'refused' }, // the service, too, publishes only for approved creators
      },
      'in the creator’s name': {
        sql: `insert into public.posts (creator_id, content) values ({creator}, 'Hello')`,
        who: ['creator'],
      },
      'behind the creator’s plan': {
        sql: `insert into public.posts (creator_id, content, post_type, required_tier_id) values ({me}, 'Hello', 'subscription', {plan basic})`,
        who: { yes: ['creator'], '23514 posts_subscription_has_tier': ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
      'with the creator’s file': {
        sql: `insert into public.posts (creator_id, media_urls, media_types) values ({me}, array[{creator.user} || '/draft'], array['image'])`,
        who: { yes: ['creator'], PT403: ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
      'with the creator’s cover': {
        sql: `insert into public.posts (creator_id, content, post_type, ppv_price, cover_path) values ({me}, 'Hello', 'ppv', 500, {creator.user} || '/cover')`,
        who: { yes: ['creator'], PT403: ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
      'with a file of the creator’s locked post': {
        sql: `insert into public.posts (creator_id, media_urls, media_types) values ({me}, array[{creator.user} || '/premium'], array['image'])`,
        who: { '23505 post_media_pkey': ['creator'], PT403: ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
    },
    update: {
      text: {
        set: `title = 'New', content = 'New'`,
        rows: eachPost((title) => ({ yes: [authorOf(title)], refused: ['admin'] })),
        proof: `private.posts where title = 'New' and content = 'New'`,
      },
      cover: {
        set: `cover_path = {creator.user} || '/cover'`,
        rows: eachPost((title) => {
          const author = authorOf(title)
          const outcome = title.endsWith('/free')
            ? '23514 posts_cover_only_when_locked'
            : author === 'creator'
              ? 'yes'
              : 'PT403'
          return { [outcome]: [author, 'service'], refused: ['admin'] }
        }),
        proof: `private.posts where cover_path like '%/cover'`,
        blind: false, // it belongs to one post
      },
      pin: {
        set: 'is_pinned = true',
        rows: eachPost((title) => ({ yes: [authorOf(title)], refused: ['admin'] })),
        proof: 'private.posts where is_pinned',
        blind: false, // three at most
      },
      'admin’s note': {
        set: `admin_note = 'Look', admin_note_is_public = true`,
        rows: eachPost((title) => ({ yes: ['admin'], refused: [authorOf(title)] })),
        proof: `private.posts where admin_note = 'Look'`,
        blind: false,
      },
    },
    delete: eachPost((title) => [authorOf(title), 'admin']),
  },
  'public.purchases': {
    named: `select b.id as key, u.username || ' bought ' || p.title as name
      from public.purchases b join private.profiles u on u.id = b.buyer_id join private.posts p on p.id = b.post_id`,
    anon: '',
    authenticated: 'select',
    select: { 'buyer bought creator/ppv': ['buyer'], 'buyer bought recluse/ppv': ['buyer'] },
  },
  'public.post_likes': {
    named: reaction('post_likes'),
    anon: '',
    authenticated: 'select insert(post_id,user_id) delete',
    select: { 'subscriber on creator/free': ['subscriber'], 'subscriber on creator/premium': ['subscriber'] },
    insert: {
      'of an open post': {
        sql: 'insert into public.post_likes (post_id, user_id) values ({creator/free}, {me})',
        who: { '23505 post_likes_once': ['subscriber'], yes: opening('creator/free', 'subscriber') },
      },
      'of the lower plan’s post': {
        sql: 'insert into public.post_likes (post_id, user_id) values ({creator/basic}, {me})',
        who: opening('creator/basic'),
      },
      'of a bought post of a private profile': {
        sql: 'insert into public.post_likes (post_id, user_id) values ({recluse/ppv}, {me})',
        who: opening('recluse/ppv'),
      },
      'as another': {
        sql: 'insert into public.post_likes (post_id, user_id) values ({creator/free}, {bystander})',
        who: [],
      },
    },
    delete: { 'subscriber on creator/free': ['subscriber'], 'subscriber on creator/premium': ['subscriber'] },
  },
  'public.bookmarks': {
    named: reaction('bookmarks'),
    anon: '',
    authenticated: 'select insert(post_id,user_id) delete',
    select: { 'subscriber on creator/ppv': ['subscriber'] },
    insert: {
      'of a locked post': {
        sql: 'insert into public.bookmarks (post_id, user_id) values ({creator/basic}, {me})',
        who: people.filter((each) => each !== 'blocked'),
      },
      'of a private profile’s post': {
        sql: 'insert into public.bookmarks (post_id, user_id) values ({recluse/free}, {me})',
        who: opening('recluse/free'),
      },
      'as another': {
        sql: 'insert into public.bookmarks (post_id, user_id) values ({creator/basic}, {bystander})',
        who: [],
      },
    },
    delete: { 'subscriber on creator/ppv': ['subscriber'] },
  },
  'public.media_settings': {
    named: `select s.profile_id as key, p.username as name from public.media_settings s join private.profiles p on p.id = s.profile_id`,
    key: 'profile_id',
    anon: '',
    authenticated: 'select insert(profile_id,watermark) update(profile_id,watermark)',
    select: { rival: ['rival'], creator: ['creator'] },
    insert: {
      'the caller’s own': {
        sql: 'insert into public.media_settings (profile_id, watermark) values ({me}, true)',
        who: {
          '23505 media_settings_pkey': ['rival', 'creator'],
          yes: people.filter((each) => each !== 'rival' && each !== 'creator'),
        },
      },
      'another’s': {
        sql: 'insert into public.media_settings (profile_id, watermark) values ({bystander}, true)',
        who: [],
      },
    },
    update: {
      'of the caller’s own': { set: 'watermark = false', rows: { rival: ['rival'], creator: ['creator'] } },
      'handed to another': {
        set: 'profile_id = {bystander}',
        rows: { rival: { refused: ['rival'] }, creator: { refused: ['creator'] } },
      },
    },
    delete: {},
  },
  'public.scheduled_posts': {
    named: 'select id as key, title as name from public.scheduled_posts',
    anon: '',
    authenticated:
      'select insert(commenters,commenters_plan_id,content,cover_path,creator_id,media_types,media_urls,poll,post_type,ppv_price,publish_at,required_tier_id,title) update(content,publish_at,title) delete',
    select: { 'creator/later': ['creator', 'admin'], 'rival/later': ['rival', 'admin'] },
    insert: {
      'as themselves': {
        sql: `insert into public.scheduled_posts (creator_id, content, publish_at) values ({me}, 'Soon', now() + interval '1 day')`,
        who: { yes: authors, rest: 'refused' },
      },
      'for now, which publishes it': {
        sql: `insert into public.scheduled_posts (creator_id, content) values ({me}, 'Now')`,
        who: { yes: authors, rest: 'refused' },
      },
      'in the creator’s name': {
        sql: `insert into public.scheduled_posts (creator_id, content, publish_at) values ({creator}, 'Soon', now() + interval '1 day')`,
        who: ['creator'],
      },
      'behind the creator’s plan': {
        sql: `insert into public.scheduled_posts (creator_id, content, post_type, required_tier_id, publish_at) values ({me}, 'Soon', 'subscription', {plan basic}, now() + interval '1 day')`,
        who: { yes: ['creator'], '23514 posts_subscription_has_tier': ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
      'with comments for the creator’s plan': {
        sql: `insert into public.scheduled_posts (creator_id, content, commenters, commenters_plan_id, publish_at) values ({me}, 'Soon', 'plan', {plan basic}, now() + interval '1 day')`,
        who: { yes: ['creator'], '23514 commenters_plan': ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
      'with the creator’s file': {
        sql: `insert into public.scheduled_posts (creator_id, media_urls, media_types, publish_at) values ({me}, array[{creator.user} || '/draft'], array['image'], now() + interval '1 day')`,
        who: { yes: ['creator'], PT403: ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
      'with the creator’s cover': {
        sql: `insert into public.scheduled_posts (creator_id, content, post_type, ppv_price, cover_path, publish_at) values ({me}, 'Soon', 'ppv', 500, {creator.user} || '/cover', now() + interval '1 day')`,
        who: { yes: ['creator'], PT403: ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
    },
    update: {
      'text and time': {
        set: `title = 'New', content = 'New', publish_at = now() + interval '2 days'`,
        rows: { 'creator/later': ['creator'], 'rival/later': ['rival'] },
        proof: `public.scheduled_posts where title = 'New'`,
      },
    },
    delete: { 'creator/later': ['creator'], 'rival/later': ['rival'] },
  },
  'public.comments': {
    named: reaction('comments'),
    anon: 'select',
    authenticated: 'select insert(content,parent_id,post_id,user_id) delete',
    select: {
      'bystander on creator/free': open('creator/free'),
      'subscriber on creator/premium': open('creator/premium'),
      'subscriber on recluse/free': open('recluse/free'),
      // Restricted by the creator.
      'lower on creator/free': ['lower', 'creator', 'admin'],
      // Held for the creator's review.
      'buyer on creator/free': ['buyer', 'creator', 'admin'],
    },
    insert: {
      'on an open post': {
        sql: `insert into public.comments (post_id, user_id, content) values ({creator/free}, {me}, 'Hi')`,
        who: opening('creator/free'),
      },
      'on the higher plan’s post': {
        sql: `insert into public.comments (post_id, user_id, content) values ({creator/premium}, {me}, 'Hi')`,
        who: opening('creator/premium'),
      },
      'on the lower plan’s post': {
        sql: `insert into public.comments (post_id, user_id, content) values ({creator/basic}, {me}, 'Hi')`,
        who: opening('creator/basic'),
      },
      'on a bought post': {
        sql: `insert into public.comments (post_id, user_id, content) values ({creator/ppv}, {me}, 'Hi')`,
        who: opening('creator/ppv'),
      },
      'on a private profile’s free post': {
        sql: `insert into public.comments (post_id, user_id, content) values ({recluse/free}, {me}, 'Hi')`,
        who: opening('recluse/free'),
      },
      'as another': {
        sql: `insert into public.comments (post_id, user_id, content) values ({creator/free}, {bystander}, 'Hi')`,
        who: [],
      },
      'as a reply': {
        sql: `insert into public.comments (post_id, user_id, content, parent_id) values ({creator/free}, {me}, 'Hi', {comment of bystander on creator/free})`,
        who: opening('creator/free'),
      },
      'as a reply to a restricted fan': {
        sql: `insert into public.comments (post_id, user_id, content, parent_id) values ({creator/free}, {me}, 'Hi', {comment of lower on creator/free})`,
        who: {
          yes: ['lower', 'creator', 'admin'],
          PT404: opening('creator/free', 'lower', 'creator', 'admin'),
        },
      },
      'as a reply to a held comment': {
        sql: `insert into public.comments (post_id, user_id, content, parent_id) values ({creator/free}, {me}, 'Hi', {held comment})`,
        who: { PT404: [...opening('creator/free'), 'service'] },
      },
    },
    delete: {
      'bystander on creator/free': ['creator', 'admin'],
      'subscriber on creator/premium': ['subscriber', 'creator', 'admin'],
      'subscriber on recluse/free': ['subscriber', 'recluse', 'admin'],
      'lower on creator/free': ['lower', 'creator', 'admin'],
      'buyer on creator/free': ['buyer', 'creator', 'admin'],
    },
  },
  'public.comment_likes': {
    named: `select l.comment_id as key, u.username as name from public.comment_likes l join private.profiles u on u.id = l.user_id`,
    key: 'comment_id',
    anon: '',
    authenticated: 'select insert(comment_id,user_id) delete',
    select: { subscriber: ['subscriber'] },
    insert: {
      'of a comment on an open post': {
        sql: `insert into public.comment_likes (comment_id, user_id) values ({comment of bystander on creator/free}, {me})`,
        who: {
          yes: opening('creator/free', 'subscriber'),
          '23505 comment_likes_once': ['subscriber'],
        },
      },
      'of a comment on the higher plan’s post': {
        sql: `insert into public.comment_likes (comment_id, user_id) values ({comment of subscriber on creator/premium}, {me})`,
        who: opening('creator/premium'),
      },
      'of a restricted fan’s comment': {
        sql: `insert into public.comment_likes (comment_id, user_id) values ({comment of lower on creator/free}, {me})`,
        who: ['lower', 'creator', 'admin'],
      },
      'of a held comment': {
        sql: `insert into public.comment_likes (comment_id, user_id) values ({held comment}, {me})`,
        who: [],
      },
      'as another': {
        sql: `insert into public.comment_likes (comment_id, user_id) values ({comment of bystander on creator/free}, {bystander})`,
        who: [],
      },
    },
    delete: { subscriber: ['subscriber'] },
  },
  'public.comment_settings': {
    named: `select s.creator_id as key, p.username as name from public.comment_settings s join private.profiles p on p.id = s.creator_id`,
    key: 'creator_id',
    anon: '',
    authenticated:
      'select insert(blocked_words,commenters,creator_id,plan_id) update(blocked_words,commenters,creator_id,plan_id)',
    select: { creator: ['creator'] },
    insert: {
      'as themselves': {
        sql: 'insert into public.comment_settings (creator_id) values ({me})',
        who: { yes: ['rival', 'recluse', 'admin'], '23505 comment_settings_pkey': ['creator'] },
      },
      'as a rival': {
        sql: 'insert into public.comment_settings (creator_id) values ({rival})',
        who: ['rival'],
      },
    },
    update: {
      'who may comment': { set: `commenters = 'nobody', blocked_words = default`, rows: { creator: ['creator'] } },
      'whose it is': { set: 'creator_id = {rival}', rows: { creator: { refused: ['creator'] } } },
      'a plan of another': {
        set: `commenters = 'plan', plan_id = {plan solo}`,
        rows: { creator: { '23514 commenters_plan': ['creator', 'service'] } },
        blind: false,
      },
    },
  },
}
