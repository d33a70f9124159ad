import { everyPersona, type Persona } from '../personas.ts'
import { everyoneBut, people, type Relation, type Who } from '../relation.ts'

const shown = (...parties: Persona[]): Who => ({ user: [...parties, 'service'], rest: 'nothing' })
const settingsOf = (...persons: Persona[]) => Object.fromEntries(persons.map((person) => [person, [person] as const]))
const own: Record<string, readonly Persona[]> = {
  ...settingsOf(...everyPersona.filter((each) => people.includes(each))),
  bystander: [],
  suspended: [],
}
const signedInBut = (...without: Persona[]): Persona[] =>
  everyPersona.filter(
    (each) => each !== 'visitor' && each !== 'service' && each !== 'suspended' && !without.includes(each),
  )

/** How creators’ profiles look, and their links: hidden with a private profile, across a block, and before the approval. */
const layouts: Record<string, readonly Persona[]> = {
  creator: everyoneBut('blocked'),
  recluse: ['recluse', 'admin'],
  applicant: ['applicant', 'admin'],
}

/** Data of two users: blocks, messages, private sessions; and of one user: settings. */
export const contacts: Record<string, Relation> = {
  'public.blocks': {
    named: `select b.id as key, a.username || ' blocks ' || c.username as name
      from public.blocks b join private.profiles a on a.id = b.blocker_id join private.profiles c on c.id = b.blocked_id`,
    anon: '',
    authenticated: 'select insert(blocked_id,blocker_id) delete',
    select: { 'creator blocks blocked': ['creator'] }, // hidden from the blocked user
    insert: {
      'as themselves': {
        sql: 'insert into public.blocks (blocker_id, blocked_id) values ({me}, {blocked})',
        who: {
          '23505 blocks_once': ['creator'],
          '23514 blocks_not_self': ['blocked'],
          refused: ['visitor', 'ghost'],
          rest: 'yes',
        },
      },
      'as another': {
        sql: 'insert into public.blocks (blocker_id, blocked_id) values ({bystander}, {rival})',
        who: [],
      },
    },
    delete: { 'creator blocks blocked': ['creator'] },
  },
  'public.user_settings': {
    named:
      'select s.user_id as key, p.username as name from private.user_settings s join private.profiles p on p.id = s.user_id',
    key: 'user_id',
    anon: '',
    authenticated: 'select update(notifications,privacy,security)',
    serviceLacks: ['insert', 'delete'],
    shape: `privacy ->> 'profileVisibility'`,
    select: {
      ...Object.fromEntries(
        Object.keys(own).map((name) => [name, { public: [...(own[name] ?? []), 'service'] } as const]),
      ),
      recluse: { private: ['recluse', 'service'] },
      suspended: { private: ['service'] }, // a suspension makes the profile private
    },
    update: {
      switches: {
        set: `notifications = '{"email": false}', privacy = '{"profileVisibility": "private", "allowSearchEngines": false}'`,
        rows: own,
      },
      'two factors': {
        set: `security = '{"twoFactorEnabled": true}'`,
        rows: Object.fromEntries(
          Object.entries(own).map(([name, who]) => [name, { refused: who, rest: 'nothing', yes: ['service'] }]),
        ),
        blind: false,
      },
    },
  },
  'public.message_settings': {
    named: `select s.creator_id as key, p.username as name from public.message_settings s join private.profiles p on p.id = s.creator_id`,
    key: 'creator_id',
    anon: '',
    authenticated:
      'select insert(away_message,away_until,creator_id,is_away,shows_reply_time) update(away_message,away_until,creator_id,is_away,shows_reply_time)',
    select: { creator: ['creator', 'admin'], recluse: ['recluse', 'admin'], applicant: ['applicant', 'admin'] },
    insert: {
      'as themselves': {
        sql: 'insert into public.message_settings (creator_id) values ({me})',
        who: { yes: ['rival', 'admin'], '23505 message_settings_pkey': ['creator', 'recluse'] },
      },
      'as a rival': {
        sql: 'insert into public.message_settings (creator_id) values ({rival})',
        who: ['rival'],
      },
    },
    update: {
      'what fans see': {
        set: `is_away = true, away_message = 'New', away_until = null, shows_reply_time = false`,
        rows: { creator: ['creator'], recluse: ['recluse'], applicant: { refused: ['applicant'] } },
      },
      'whose it is': {
        set: 'creator_id = {rival}',
        rows: {
          creator: { refused: ['creator'] },
          recluse: { refused: ['recluse'] },
          applicant: { refused: ['applicant'] },
        },
      },
    },
  },
  'public.fan_notes': {
    named: `select n.creator_id as key, p.username as name from public.fan_notes n join private.profiles p on p.id = n.creator_id`,
    key: 'creator_id',
    anon: '',
    authenticated:
      'select insert(creator_id,custom_name,fan_id,note,tags) update(creator_id,custom_name,fan_id,note,tags) delete',
    select: { creator: ['creator'], recluse: ['recluse'] },
    insert: {
      'about a fan': {
        sql: `insert into public.fan_notes (creator_id, fan_id, note) values ({me}, {buyer}, 'Kind')`,
        who: ['creator', 'recluse', 'rival', 'admin'],
      },
      'as the creator': {
        sql: `insert into public.fan_notes (creator_id, fan_id, note) values ({creator}, {buyer}, 'Kind')`,
        who: ['creator'],
      },
    },
    update: {
      'the note': { set: `note = 'New'`, rows: { creator: ['creator'], recluse: ['recluse'] } },
      'whose it is': {
        set: 'creator_id = {rival}',
        rows: { creator: { refused: ['creator'] }, recluse: { refused: ['recluse'] } },
      },
    },
    delete: { creator: ['creator'], recluse: ['recluse'] },
  },
  'public.fan_lists': {
    named: `select l.id as key, p.username as name from public.fan_lists l join private.profiles p on p.id = l.creator_id`,
    anon: '',
    authenticated: 'select insert(name,rule) update(name,rule)',
    select: { creator: ['creator'], recluse: ['recluse'], applicant: ['applicant'] },
    insert: {
      'of their own': {
        sql: `insert into public.fan_lists (name) values ('New')`,
        who: { yes: ['creator', 'recluse', 'rival', 'admin'], '23502': ['service'] },
      },
      'with the list of a creator in its rule': {
        sql: `insert into public.fan_lists (name, rule)
          values ('New', jsonb_build_object('all', jsonb_build_array(jsonb_build_object('condition', 'in_list', 'list', {list/creator}::uuid))))`,
        who: { yes: ['creator'], refused: ['visitor'], rest: '22023' },
      },
    },
    update: {
      'the name': {
        set: `name = 'Renamed'`,
        rows: { creator: ['creator'], recluse: ['recluse'], applicant: { refused: ['applicant'] } },
      },
      'the rule': {
        set: `rule = '{"all": [{"condition": "renewal_off"}]}'`,
        rows: {
          creator: { '22023': ['creator', 'service'] },
          recluse: { '22023': ['recluse', 'service'] },
          applicant: { '22023': ['applicant', 'service'] },
        },
        blind: false,
      },
    },
  },
  'public.fan_list_members': {
    named: `select m.list_id as key, p.username as name from public.fan_list_members m join private.profiles p on p.id = m.creator_id`,
    key: 'list_id',
    anon: '',
    authenticated: 'select',
    select: { creator: ['creator'], recluse: ['recluse'] },
  },
  'public.tracking_links': {
    named: `select l.id as key, p.username as name from public.tracking_links l join private.profiles p on p.id = l.creator_id`,
    anon: '',
    authenticated:
      'select insert(name,plan_id,post_id,product_id,target,trial_days,trial_limit,trial_until) update(is_archived,name,trial_limit,trial_until)',
    select: { creator: ['creator'], recluse: ['recluse'], applicant: ['applicant'] },
    insert: {
      'to their profile': {
        sql: `insert into public.tracking_links (name, target) values ('New', 'profile')`,
        who: { yes: ['creator', 'recluse', 'rival', 'admin'], '23502': ['service'] },
      },
      'to a post of the creator': {
        sql: `insert into public.tracking_links (name, target, post_id) values ('New', 'post', {creator/free})`,
        who: { yes: ['creator'], refused: ['visitor'], rest: '22023' },
      },
      'to a product of the creator': {
        sql: `insert into public.tracking_links (name, target, product_id) values ('New', 'product', {product sold})`,
        who: { yes: ['creator'], refused: ['visitor'], rest: '22023' },
      },
      'to a product that is not for sale': {
        sql: `insert into public.tracking_links (name, target, product_id) values ('New', 'product', {product draft})`,
        who: { refused: ['visitor'], rest: '22023' },
      },
    },
    update: {
      'the name': {
        set: `name = 'Renamed'`,
        rows: { creator: ['creator'], recluse: ['recluse'], applicant: { refused: ['applicant'] } },
      },
      'whether it is archived': {
        set: 'is_archived = true',
        rows: { creator: ['creator'], recluse: ['recluse'], applicant: { refused: ['applicant'] } },
      },
    },
  },
  'public.tracking_link_days': {
    named: `select d.link_id as key, p.username as name from public.tracking_link_days d join private.profiles p on p.id = d.creator_id`,
    key: 'link_id',
    anon: '',
    authenticated: 'select',
    select: { creator: ['creator'], recluse: ['recluse'], applicant: ['applicant'] },
  },
  'public.link_touches': {
    named: `select t.link_id as key, p.username as name from public.link_touches t join private.profiles p on p.id = t.fan_id`,
    key: 'link_id',
    anon: '',
    authenticated: 'select',
    select: { subscriber: ['subscriber'] },
  },
  'public.flows': {
    named: `select x.id as key, p.username as name from public.flows x join private.profiles p on p.id = x.creator_id`,
    anon: '',
    authenticated: 'select',
    select: { creator: ['creator'] },
  },
  'public.flow_steps': {
    named: `select x.flow_id as key, p.username as name from public.flow_steps x join private.profiles p on p.id = x.creator_id`,
    key: 'flow_id',
    anon: '',
    authenticated: 'select',
    select: { creator: ['creator'] },
  },
  'public.flow_runs': {
    named: `select x.flow_id as key, p.username as name from public.flow_runs x join private.profiles p on p.id = x.creator_id`,
    key: 'flow_id',
    anon: '',
    authenticated: 'select',
    select: { creator: ['creator'] },
  },
  'public.flow_entries': {
    named: `select x.flow_id as key, p.username as name from public.flow_entries x join private.profiles p on p.id = x.creator_id`,
    key: 'flow_id',
    anon: '',
    authenticated: 'select',
    select: { creator: ['creator'] },
  },
  'public.mass_messages': {
    named: `select g.id as key, p.username || ' ' || g.status as name from public.mass_messages g join private.profiles p on p.id = g.creator_id`,
    anon: '',
    authenticated: 'select',
    select: {
      'creator draft': ['creator'],
      'creator scheduled': ['creator'],
      'creator sent': ['creator'],
      'recluse draft': ['recluse'],
    },
  },
  'public.saved_replies': {
    named: `select r.id as key, p.username as name from public.saved_replies r join private.profiles p on p.id = r.user_id`,
    anon: '',
    authenticated: 'select delete',
    select: { creator: ['creator'], subscriber: ['subscriber'] },
    delete: { creator: ['creator'], subscriber: ['subscriber'] },
  },
  'public.profile_layouts': {
    named: `select l.creator_id as key, p.username as name from public.profile_layouts l join private.profiles p on p.id = l.creator_id`,
    key: 'creator_id',
    anon: 'select',
    authenticated:
      'select insert(accent_color,creator_id,featured_post_id,shows_post_count,shows_subscriber_count,tab_order,welcome_post_id,welcome_text) update(accent_color,creator_id,featured_post_id,shows_post_count,shows_subscriber_count,tab_order,welcome_post_id,welcome_text)',
    select: layouts,
    insert: {
      'as themselves': {
        sql: 'insert into public.profile_layouts (creator_id) values ({me})',
        who: { yes: ['rival', 'admin'], '23505 profile_layouts_pkey': ['creator', 'recluse'] },
      },
      'as a rival': {
        sql: 'insert into public.profile_layouts (creator_id) values ({rival})',
        who: ['rival'],
      },
      'with a rival’s post': {
        sql: 'insert into public.profile_layouts (creator_id, featured_post_id) values ({me}, {rival/free})',
        who: { yes: ['rival'], refused: ['visitor'], rest: 'PT422' },
      },
    },
    update: {
      'what others see': {
        set: `accent_color = null, featured_post_id = null, welcome_text = 'Hello', welcome_post_id = null, tab_order = null,
          shows_subscriber_count = true, shows_post_count = false`,
        rows: { creator: ['creator'], recluse: ['recluse'], applicant: { refused: ['applicant'] } },
      },
      'whose it is': {
        set: 'creator_id = {rival}',
        rows: {
          creator: { refused: ['creator'] },
          recluse: { refused: ['recluse'] },
          applicant: { refused: ['applicant'] },
        },
      },
      'a rival’s post': {
        set: 'featured_post_id = {rival/free}',
        rows: {
          creator: { PT422: ['creator', 'service'] },
          recluse: { PT422: ['recluse', 'service'] },
          applicant: { PT422: ['applicant', 'service'] },
        },
        blind: false,
      },
    },
  },
  'public.profile_links': {
    named: `select l.id as key, p.username as name from public.profile_links l join private.profiles p on p.id = l.creator_id`,
    anon: 'select',
    authenticated: 'select',
    select: layouts,
  },
  'public.messages': {
    named: `select m.id as key, a.username || ' to ' || b.username || coalesce(' by ' || nullif(m.author_kind, 'user'), '') as name
      from private.messages m join private.profiles a on a.id = m.sender_id join private.profiles b on b.id = m.recipient_id`,
    shape: `case when content like '%SECRET%' and not is_locked and cardinality(media_urls) = cardinality(media_types)
        then author_kind || coalesce(' ' || author_name, '')
      when content is null and is_locked and cardinality(media_urls) = 0 then 'locked' else 'leak' end`,
    anon: '',
    authenticated:
      'select insert(content,id,is_paid,media_types,media_urls,preview_index,price,quoted_id,recipient_id,sender_id,story_id) update(is_read)',
    serviceLacks: ['delete'],
    select: {
      'creator to subscriber': shown('creator', 'subscriber'),
      'creator to stranger': { user: ['creator', 'service'], locked: ['stranger'], rest: 'nothing' }, // not paid for
      'creator to buyer': shown('creator', 'buyer'), // paid for
      'creator to lower': { user: ['creator', 'service'], locked: ['lower'], rest: 'nothing' }, // copies of one mass message
      'creator to applicant': shown('creator', 'applicant'),
      'rival to buyer': { user: ['rival', 'service'], locked: ['buyer'], rest: 'nothing' },
      'rival to lower by automation': {
        'automation SECRET flow': ['rival', 'service'],
        automation: ['lower'],
        rest: 'nothing',
      },
      'rival to lower by team': { 'team Ada': ['rival', 'lower', 'service'], rest: 'nothing' },
      'bystander to rival': shown('rival'),
    },
    insert: {
      'as themselves': {
        sql: `insert into public.messages (sender_id, recipient_id, content) values ({me}, {rival}, 'Hi')`,
        who: { '23514 messages_not_self': ['rival'], refused: ['visitor', 'ghost'], rest: 'yes' },
      },
      'to the creator': {
        sql: `insert into public.messages (sender_id, recipient_id, content) values ({me}, {creator}, 'Hi')`,
        who: { '23514 messages_not_self': ['creator'], PT403: ['blocked'], refused: ['visitor', 'ghost'], rest: 'yes' },
      },
      'for money': {
        sql: `insert into public.messages (sender_id, recipient_id, content, is_paid, price) values ({me}, {subscriber}, 'Hi', true, 500)`,
        who: {
          '23514 messages_not_self': ['subscriber'],
          yes: ['creator', 'rival', 'recluse', 'admin'],
          rest: 'refused',
        },
      },
      'with the sender’s own file': {
        sql: `insert into public.messages (sender_id, recipient_id, content, media_urls, media_types)
          values ({me}, {rival}, '', array[{me.user} || '/unsent'], array['image'])`,
        who: { '23514 messages_not_self': ['rival'], refused: ['visitor', 'ghost'], yes: ['creator'], rest: 'PT422' },
      },
      'with another’s file': {
        sql: `insert into public.messages (sender_id, recipient_id, content, media_urls, media_types)
          values ({me}, {rival}, 'Hi', array[{creator.user} || '/unsent'], array['image'])`,
        who: { '23514 messages_not_self': ['rival'], refused: ['visitor', 'ghost'], yes: ['creator'], rest: 'PT403' },
      },
      'with a file that is in another message': {
        sql: `insert into public.messages (sender_id, recipient_id, content, media_urls, media_types)
          values ({me}, {rival}, 'Hi', array[{creator.user} || '/secret'], array['image'])`,
        who: {
          '23514 messages_not_self': ['rival'],
          '23505 message_media_pkey': ['creator'],
          refused: ['visitor', 'ghost'],
          rest: 'PT403',
        },
      },
      'in reply to a message of theirs': {
        sql: `insert into public.messages (sender_id, recipient_id, content, quoted_id) values ({me}, {creator}, 'Hi', {message of creator to buyer})`,
        who: {
          '23514 messages_not_self': ['creator'],
          PT403: ['blocked'],
          refused: ['visitor', 'ghost'],
          yes: ['buyer'],
          rest: 'PT404',
        },
      },
      'to nobody': {
        sql: `insert into public.messages (sender_id, recipient_id, content) values ({me}, {nobody}, 'Hi')`,
        who: { PT404: signedInBut('ghost'), refused: ['visitor', 'ghost'], rest: 'PT404' },
      },
      'as another': {
        sql: `insert into public.messages (sender_id, recipient_id, content) values ({bystander}, {rival}, 'Hi')`,
        who: [],
      },
    },
    update: {
      read: {
        set: 'is_read = true',
        rows: {
          'creator to subscriber': ['subscriber'],
          'creator to stranger': ['stranger'], // read, and still locked
          'rival to buyer': ['buyer'],
          'rival to lower by automation': ['lower'],
          'rival to lower by team': ['lower'],
          'creator to buyer': { rest: 'nothing' }, // already read
          'creator to lower': ['lower'],
          'creator to applicant': ['applicant'],
          'bystander to rival': ['rival'],
        },
      },
    },
  },
  'public.message_unlocks': {
    named: `select u.id as key, p.username || ' opened' as name from public.message_unlocks u join private.profiles p on p.id = u.buyer_id`,
    anon: '',
    authenticated: 'select',
    select: { 'buyer opened': ['buyer', 'creator'], 'applicant opened': ['applicant', 'creator'] },
  },
  'public.post_views': {
    named: `select post_id as key, 'stranger saw creator/free' as name from public.post_views`,
    key: 'post_id',
    anon: '',
    authenticated: '',
    select: { 'stranger saw creator/free': [] },
  },
  'public.session_offers': {
    named: 'select id as key, title as name from public.session_offers',
    anon: '',
    authenticated:
      'select insert(creator_id,description,duration_minutes,is_active,price_cents,title) update(description,duration_minutes,is_active,price_cents,title)',
    select: {
      talk: signedInBut('blocked'),
      'past talk': signedInBut('blocked'),
      'timed talk': signedInBut('blocked'),
      'old talk': ['creator', 'admin'],
      'hidden talk': ['recluse', 'admin'],
    },
    insert: {
      'as themselves': {
        sql: `insert into public.session_offers (creator_id, title, duration_minutes, price_cents) values ({me}, 'New', 30, 2000)`,
        who: { yes: ['creator', 'rival', 'recluse'], PT409: ['admin'], refused: ['visitor'], rest: 'PT403' },
      },
      'as the creator': {
        sql: `insert into public.session_offers (creator_id, title, duration_minutes, price_cents) values ({creator}, 'New', 30, 2000)`,
        who: ['creator'],
      },
    },
    update: {
      'what it is': {
        set: `title = 'New', is_active = false`,
        rows: {
          talk: ['creator'],
          'past talk': ['creator'],
          'timed talk': ['creator'],
          'old talk': ['creator'],
          'hidden talk': ['recluse'],
        },
      },
    },
  },
  'public.session_slots': {
    named:
      'select s.id as key, o.title as name from public.session_slots s join public.session_offers o on o.id = s.offer_id',
    anon: '',
    authenticated: 'select insert(offer_id,starts_at) delete',
    select: {
      talk: signedInBut('blocked'),
      'past talk': ['creator', 'admin'],
      'timed talk': ['creator', 'admin'],
      'old talk': ['creator', 'admin'],
      'hidden talk': ['recluse', 'admin'],
    },
    insert: {
      'of no offer': {
        sql: `insert into public.session_slots (offer_id, starts_at) values ({nobody}, now() + interval '20 days')`,
        who: { rest: 'refused' },
      },
      'of the creator’s offer': {
        sql: `insert into public.session_slots (offer_id, starts_at) values ({offer talk}, now() + interval '20 days')`,
        who: ['creator'],
      },
    },
    deleteAll: { creator: 'PT409' },
    delete: {
      talk: { PT409: ['creator'] },
      'past talk': ['creator'],
      'timed talk': ['creator'],
      'old talk': ['creator'],
      'hidden talk': ['recluse'],
    },
  },
  'public.session_availability': {
    named: `select a.creator_id as key, p.username as name from public.session_availability a join private.profiles p on p.id = a.creator_id`,
    key: 'creator_id',
    anon: '',
    authenticated:
      'select insert(buffer_minutes,creator_id,horizon_days,notice_hours,time_zone,weekly) update(buffer_minutes,creator_id,horizon_days,notice_hours,time_zone,weekly)',
    select: { creator: ['creator', 'admin'], recluse: ['recluse', 'admin'], applicant: ['applicant', 'admin'] },
    insert: {
      'as themselves': {
        sql: `insert into public.session_availability (creator_id, time_zone) values ({me}, 'UTC')`,
        who: { yes: ['rival', 'admin'], '23505 session_availability_pkey': ['creator', 'recluse'] },
      },
      'as a rival': {
        sql: `insert into public.session_availability (creator_id, time_zone) values ({rival}, 'UTC')`,
        who: ['rival'],
      },
    },
    update: {
      'when they have time': {
        set: `time_zone = 'Europe/Lisbon', buffer_minutes = 15`,
        rows: { creator: ['creator'], recluse: ['recluse'], applicant: { refused: ['applicant'] } },
      },
      'whose it is': {
        set: 'creator_id = {rival}',
        rows: {
          creator: { refused: ['creator'] },
          recluse: { refused: ['recluse'] },
          applicant: { refused: ['applicant'] },
        },
      },
    },
  },
  'public.session_days': {
    named: `select d.creator_id as key, p.username as name from public.session_days d join private.profiles p on p.id = d.creator_id`,
    key: 'creator_id',
    anon: '',
    authenticated: 'select insert(creator_id,day,hours) update(creator_id,day,hours) delete',
    select: { creator: ['creator', 'admin'], recluse: ['recluse', 'admin'], applicant: ['applicant', 'admin'] },
    insert: {
      'as themselves': {
        sql: 'insert into public.session_days (creator_id, day) values ({me}, current_date + 7)',
        who: ['creator', 'rival', 'recluse', 'admin'],
      },
      'as a rival': {
        sql: 'insert into public.session_days (creator_id, day) values ({rival}, current_date + 7)',
        who: ['rival'],
      },
      'years ahead': {
        sql: 'insert into public.session_days (creator_id, day) values ({rival}, current_date + 700)',
        who: { refused: ['visitor'], rest: 'PT422' },
      },
    },
    update: {
      'the hours': {
        set: `hours = '[{"start": "09:00", "end": "10:00"}]'`,
        rows: { creator: ['creator'], recluse: ['recluse'], applicant: { refused: ['applicant'] } },
      },
      'whose it is': {
        set: 'creator_id = {rival}',
        rows: {
          creator: { refused: ['creator'] },
          recluse: { refused: ['recluse'] },
          applicant: { refused: ['applicant'] },
        },
      },
    },
    delete: { creator: ['creator'], recluse: ['recluse'], applicant: ['applicant'] },
  },
  'public.session_bookings': {
    named: `select b.id as key, p.username || ' books' as name from public.session_bookings b join private.profiles p on p.id = b.fan_id`,
    anon: '',
    authenticated: 'select',
    select: { 'lower books': ['lower', 'creator', 'admin'], 'buyer books': ['buyer', 'creator', 'admin'] },
  },
}
