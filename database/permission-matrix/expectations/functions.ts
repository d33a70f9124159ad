import { asApp, type Callable, everyone, people, signedIn, type Who } from '../relation.ts'

const dashboard = (call: string, more: Callable['calls'] = {}): Callable => ({
  anon: false,
  authenticated: true,
  calls: {
    'of the creator': {
      sql: `select count(*) > 0 from public.${call.replace('$', '{creator}')}`,
      who: { true: ['creator', 'admin', 'service'] },
    },
    ...more,
  },
})

function booking(name: string, who: Who): Callable {
  return {
    anon: false,
    authenticated: true,
    calls: {
      'of lower with the creator': {
        sql: `select case when (public.${name}({booking})).id is not null then 'yes' end`,
        who: { rest: 'PT404', ...who },
      },
    },
  }
}

/** Functions of `public` that clients may name, by their signature. Those that only the service may call have no calls. */
export const publicFunctions: Record<string, Callable> = {
  'get_comment_access(uuid)': {
    anon: true,
    authenticated: true,
    calls: {
      'of an open post': {
        sql: `select coalesce((select case when may_comment then 'may' else 'may not' end from public.get_comment_access({creator/free})), 'none')`,
        who: { none: ['blocked'], 'may not': ['visitor', 'ghost', 'suspended', 'service'], rest: 'may' },
      },
      'of a locked post': {
        sql: `select coalesce((select case when may_comment then 'may' else 'may not' end from public.get_comment_access({creator/premium})), 'none')`,
        who: { may: ['subscriber', 'creator', 'admin'], 'may not': ['service'], rest: 'none' },
      },
    },
  },
  'get_tagged_posts(text,integer,timestamp with time zone,uuid)': {
    anon: true,
    authenticated: true,
    calls: {
      'by a tag in the preview': {
        sql: `select count(*) from public.get_tagged_posts('shown')`,
        who: { '0': ['blocked'], rest: '1' },
      },
      'by a tag in the locked text': {
        sql: `select count(*) from public.get_tagged_posts('inside')`,
        who: { '1': ['subscriber', 'creator', 'admin', 'service'], rest: '0' },
      },
      'of a private profile': {
        sql: `select count(*) from public.get_tagged_posts('quiet')`,
        who: { '1': ['subscriber', 'recluse', 'admin', 'service'], rest: '0' },
      },
    },
  },
  'get_tagged_comments(text,integer,timestamp with time zone,uuid)': {
    anon: true,
    authenticated: true,
    calls: {
      'that is held': {
        sql: `select count(*) from public.get_tagged_comments('ruderemark')`,
        who: { '1': ['buyer', 'creator', 'admin'], rest: '0' },
      },
    },
  },
  'suggest_tags(text)': {
    anon: false,
    authenticated: true,
    calls: {
      'that everyone can read': {
        sql: `select (select count(*) from public.suggest_tags('shown')) || ' ' || (select count(*) from public.suggest_tags('inside')) || ' ' || (select count(*) from public.suggest_tags('quiet'))`,
        who: { '1 0 0': [...signedIn, 'service'] },
      },
    },
  },
  'suggest_people(text,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'under a locked post': {
        sql: `select count(*) from public.suggest_people('', {creator/ppv}) where username = 'creator'`,
        who: { '1': ['buyer', 'subscriber', 'lower', 'admin'], rest: '0' },
      },
    },
  },
  'set_commenters(uuid,text,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator’s post': {
        sql: `select public.set_commenters({creator/free}, 'nobody')`,
        who: { '': ['creator'], rest: 'PT404' },
      },
    },
  },
  'pin_comment(uuid,boolean)': {
    anon: false,
    authenticated: true,
    calls: {
      'on the creator’s post': {
        sql: 'select public.pin_comment({comment of bystander on creator/free})',
        who: { '': ['creator'], rest: 'PT404' },
      },
    },
  },
  'approve_comment(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'on the creator’s post': {
        sql: 'select public.approve_comment({held comment})',
        who: { '': ['creator'], rest: 'PT404' },
      },
    },
  },
  'get_held_comments(integer,timestamp with time zone,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'on the creator’s posts': {
        sql: 'select count(*) from public.get_held_comments()',
        who: { '1': ['creator'], rest: '0' },
      },
    },
  },
  'remove_comments_of(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'on the creator’s posts': {
        sql: 'select public.remove_comments_of({subscriber})',
        who: { '1': ['creator', 'recluse'], rest: '0' },
      },
    },
  },
  'count_creators(text,text)': {
    anon: true,
    authenticated: true,
    calls: { 'counts the listed': { sql: 'select public.count_creators()', who: { '2': everyone } } },
  },
  'cover_url(creator_listing)': {
    anon: true,
    authenticated: true,
    calls: {
      'of the listed': {
        sql: 'select count(c.cover_url) from public.discover_creators() c',
        who: { '2': everyone },
      },
    },
  },
  'pictures(creator_listing)': {
    anon: true,
    authenticated: true,
    calls: {
      'of the listed': {
        sql: `select string_agg(c.username || ' ' || coalesce(cardinality(public.pictures(c))::text, 'none'), ' ' order by c.username) from public.discover_creators() c`,
        who: { 'creator none rival 1': ['blocked'], rest: 'creator 1 rival 1' },
      },
    },
  },
  'trial_days(creator_listing)': {
    anon: true,
    authenticated: true,
    calls: {
      'of the listed': {
        sql: `select string_agg(c.username || ' ' || public.trial_days(c), ' ' order by c.username) from public.discover_creators() c`,
        who: { 'creator 0 rival 0': everyone },
      },
    },
  },
  'explore_rails(integer)': {
    anon: true,
    authenticated: true,
    calls: {
      'lists approved creators without the private one': {
        sql: `select string_agg(rail || ' ' || username, ', ' order by rail collate "C", username) from public.explore_rails()`,
        who: { 'Art creator, Art rival, new creator, new rival': everyone },
      },
    },
  },
  'front_creators()': {
    anon: true,
    authenticated: true,
    calls: {
      'those who are featured, without the private one': {
        sql: `select string_agg(username || ' ' || is_featured, ', ') from public.front_creators()`,
        who: { 'rival true, creator true': everyone },
      },
    },
  },
  'set_front_page(text,text,text,text,text,text,uuid[])': {
    anon: false,
    authenticated: true,
    calls: {
      'words and creators': {
        sql: `select public.set_front_page(headline => 'New', creator_ids => array[{creator}::uuid])`,
        who: { '': ['admin', 'service'] },
      },
      'a picture that is not there': {
        sql: `select public.set_front_page(picture_path => 'picture/none')`,
        who: { PT422: ['admin', 'service'] },
      },
      'by a connected app': {
        sql: `select public.set_front_page(headline => 'New') from ${asApp}`,
        who: { '': ['service'], rest: 'refused' },
      },
    },
  },
  'discover_creators(text,text,text,integer,integer)': {
    anon: true,
    authenticated: true,
    calls: {
      'lists approved creators without the private one': {
        sql: `select string_agg(username, ' ' order by username) from public.discover_creators()`,
        who: { 'creator rival': everyone },
      },
    },
  },
  'get_creator_stats(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: 'select total_subscribers from public.get_creator_stats({creator})',
        who: { '2': ['creator', 'admin', 'service'] },
      },
      'of nobody': {
        sql: 'select total_subscribers from public.get_creator_stats(null)',
        who: { PT404: ['admin', 'service', 'ghost'], rest: 'refused' },
      },
    },
  },
  'get_feed(integer,timestamp with time zone,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'what is open and what is locked of whom one follows': {
        sql: `select concat_ws(' ', string_agg(title, ' ' order by title) filter (where content like '%SECRET%'),
          'locked', string_agg(title, ' ' order by title) filter (where content not like '%SECRET%')) from public.get_feed()`,
        who: {
          'creator/basic creator/free creator/premium recluse/free recluse/hidden locked creator/ppv recluse/ppv': [
            'subscriber',
          ],
          'creator/basic creator/free locked creator/ppv creator/premium': ['lower'],
          'rival/free locked rival/ppv rival/solo': ['stranger'],
          'rival/free rival/ppv rival/solo locked': ['rival'],
          'creator/basic creator/free creator/ppv creator/premium locked': ['creator'],
          'recluse/free recluse/hidden recluse/ppv locked': ['recluse'],
          closed: ['visitor'],
          rest: 'locked',
        },
      },
    },
  },
  'suggest_creators(integer)': {
    anon: false,
    authenticated: true,
    calls: {
      'without those who are followed': {
        sql: `select string_agg(username, ' ' order by username) from public.suggest_creators()`,
        who: {
          creator: ['stranger', 'rival'],
          rival: ['subscriber', 'lower', 'creator'],
          closed: ['visitor'],
          rest: 'creator rival',
        },
      },
    },
  },
  'get_new_posts()': {
    anon: false,
    authenticated: true,
    calls: {
      'of whom one follows or pays': {
        sql: `select coalesce(string_agg(title, ', ' order by title), 'none') from public.get_new_posts()`,
        who: {
          'creator published 3 posts, recluse published 3 posts': ['subscriber'],
          'creator published 4 posts': ['lower'],
          'rival published 3 posts': ['stranger'],
          rest: 'none',
        },
      },
    },
  },
  'count_new_posts()': {
    anon: false,
    authenticated: true,
    calls: {
      'by creator': {
        sql: 'select public.count_new_posts()',
        who: { '2': ['subscriber'], '1': ['lower', 'stranger'], rest: '0' },
      },
    },
  },
  'read_new_posts(uuid,timestamp with time zone)': {
    anon: false,
    authenticated: true,
    calls: {
      all: {
        sql: 'select public.read_new_posts()',
        who: { '2': ['subscriber'], '1': ['lower', 'stranger'], rest: '0' },
      },
    },
  },
  'dismiss_new_posts(uuid,timestamp with time zone)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: 'select public.dismiss_new_posts({creator})',
        who: { '1': ['subscriber', 'lower'], rest: '0' },
      },
    },
  },
  'get_post_alerts(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: `select coalesce(public.get_post_alerts({creator}), 'no bell')`,
        who: { paid: ['subscriber'], all: ['lower'], rest: 'no bell' },
      },
    },
  },
  'set_post_alerts(uuid,text)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: `select public.set_post_alerts({creator}, 'none')`,
        who: { none: people, rest: 'refused' },
      },
      'of nobody': {
        sql: `select public.set_post_alerts({nobody}, 'none')`,
        who: { PT404: people, rest: 'refused' },
      },
    },
  },
  'list_heard_creators()': {
    anon: false,
    authenticated: true,
    calls: {
      'of whom one follows or pays': {
        sql: `select coalesce(string_agg(p.username, ' ' order by p.username), 'nobody')
          from public.list_heard_creators() h join public.profiles p on p.id = h`,
        who: { 'creator recluse': ['subscriber'], creator: ['lower'], rival: ['stranger'], rest: 'nobody' },
      },
    },
  },
  'get_feed_address(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: 'select length((public.get_feed_address({creator})).token)',
        who: { '48': ['subscriber', 'lower'], refused: ['ghost', 'service'], rest: 'PT403' },
      },
      'of a private profile': {
        sql: 'select length((public.get_feed_address({recluse})).token)',
        who: { '48': ['subscriber'], refused: ['ghost', 'service'], rest: 'PT403' },
      },
      'by a connected app': {
        sql: `select public.get_feed_address({creator}) from ${asApp}`,
        who: { rest: 'refused' },
      },
    },
  },
  'renew_feed_address(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: 'select length((public.renew_feed_address({creator})).token)',
        who: { '48': ['subscriber', 'lower'], refused: ['ghost', 'service'], rest: 'PT403' },
      },
      'by a connected app': {
        sql: `select public.renew_feed_address({creator}) from ${asApp}`,
        who: { rest: 'refused' },
      },
    },
  },
  'get_unlocks(uuid[])': {
    anon: true,
    authenticated: true,
    calls: {
      'of posts for two plans, a price, everyone, and a private profile': {
        sql: `select coalesce(string_agg(plan_name || ' ' || more_posts || case when is_subscribed then ' switch' else '' end, ', ' order by plan_name), 'none')
          from public.get_unlocks(array[{creator/basic}::uuid, {creator/premium}::uuid, {creator/ppv}::uuid, {creator/free}::uuid, {recluse/hidden}::uuid])`,
        who: {
          none: ['subscriber', 'creator', 'admin', 'service', 'blocked'],
          'premium 0 switch': ['lower'],
          rest: 'basic 0, premium 1',
        },
      },
    },
  },
  'arrange_plans(uuid[])': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: `select 'done' from (select public.arrange_plans(array[{plan premium}::uuid, {plan basic}::uuid])) called`,
        who: { done: ['creator'], PT404: people.filter((each) => each !== 'creator'), rest: 'refused' },
      },
      'of nobody': {
        sql: `select 'done' from (select public.arrange_plans('{}')) called`,
        who: { done: people, rest: 'refused' },
      },
    },
  },
  'move_subscribers(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: `select 'done' from (select public.move_subscribers({plan premium})) called`,
        who: { done: ['creator'], PT404: people.filter((each) => each !== 'creator'), rest: 'refused' },
      },
    },
  },
  'pause_billing(integer)': {
    anon: false,
    authenticated: true,
    calls: {
      'for 2 months': {
        sql: `select 'done' from (select public.pause_billing(2)) called`,
        who: { done: ['creator', 'admin'], PT409: ['rival', 'recluse'], rest: 'refused' },
      },
      'for 4 months': {
        sql: `select 'done' from (select public.pause_billing(4)) called`,
        who: { PT422: ['creator', 'rival', 'recluse', 'admin'], rest: 'refused' },
      },
    },
  },
  'resume_billing()': {
    anon: false,
    authenticated: true,
    calls: {
      "of the caller's": {
        sql: `select 'done' from (select public.resume_billing()) called`,
        who: {
          done: ['rival', 'recluse'],
          PT409: people.filter((each) => each !== 'rival' && each !== 'recluse'),
          rest: 'refused',
        },
      },
    },
  },
  'set_fans_may_pause(boolean)': {
    anon: false,
    authenticated: true,
    calls: {
      'for the caller': {
        sql: `select 'done' from (select public.set_fans_may_pause(true)) called`,
        who: { done: ['creator', 'rival', 'recluse', 'admin'], rest: 'refused' },
      },
    },
  },
  'mark_popular_plan(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: `select 'done' from (select public.mark_popular_plan({plan premium})) called`,
        who: { done: ['creator'], PT404: people.filter((each) => each !== 'creator'), rest: 'refused' },
      },
    },
  },
  'get_subscription_status(uuid,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of subscriber and creator': {
        sql: 'select has_access from public.get_subscription_status({subscriber}, {creator})',
        who: { true: ['subscriber', 'creator', 'admin', 'service'] },
      },
      'of lapsed and creator': {
        sql: 'select has_access from public.get_subscription_status({lapsed}, {creator})',
        who: { false: ['lapsed', 'creator', 'admin', 'service'] },
      },
      'of nobody': {
        sql: 'select count(*) from public.get_subscription_status(null, null)',
        who: { '0': ['admin', 'service'] },
      },
    },
  },
  'has_role(uuid,text)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the admin': {
        sql: `select public.has_role({admin.user}, 'admin')`,
        who: { true: [...signedIn, 'service'], rest: 'closed' },
      },
      'of the creator': {
        sql: `select public.has_role({creator.user}, 'admin')`,
        who: { false: [...signedIn, 'service'], rest: 'closed' },
      },
    },
  },
  'record_profile_view(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: `select public.record_profile_view({creator})`,
        who: { '': [...signedIn, 'service'], rest: 'closed' },
      },
    },
  },
  'accept_booking(uuid)': booking('accept_booking', { yes: ['creator'], refused: ['lower', 'admin', 'service'] }),
  'decline_booking(uuid,text)': booking('decline_booking', {
    PT409: ['creator'],
    refused: ['lower', 'admin', 'service'],
  }),
  'cancel_booking(uuid,text)': booking('cancel_booking', { yes: ['lower', 'creator', 'admin', 'service'] }),
  'complete_booking(uuid)': booking('complete_booking', { PT409: ['lower', 'creator', 'admin', 'service'] }),
  'book_session(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'a slot that is taken': {
        sql: 'select (public.book_session({slot of talk})).id is not null',
        who: { PT403: ['blocked'], refused: ['ghost', 'service'], rest: 'PT409' },
      },
      'a slot of an offer that is no more': {
        sql: 'select (public.book_session({slot of old talk})).id is not null',
        who: { refused: ['ghost', 'service'], rest: 'PT404' },
      },
      'a slot that a booking made and released': {
        sql: 'select (public.book_session({slot of timed talk})).id is not null',
        who: { refused: ['ghost', 'service'], rest: 'PT404' },
      },
    },
  },
  'book_session_time(uuid,timestamp with time zone)': {
    anon: false,
    authenticated: true,
    calls: {
      'a time within the hours': {
        sql: `select (public.book_session_time({offer talk}, current_date + interval '40 days')).id is not null`,
        who: { PT403: ['blocked'], PT409: ['creator'], refused: ['ghost', 'service'], rest: 'true' },
      },
      'a time on a day off': {
        sql: `select (public.book_session_time({offer talk}, current_date + interval '30 days')).id is not null`,
        who: { PT403: ['blocked'], refused: ['ghost', 'service'], rest: 'PT409' },
      },
      'an offer that is no more': {
        sql: `select (public.book_session_time({offer old talk}, current_date + interval '40 days')).id is not null`,
        who: { refused: ['ghost', 'service'], rest: 'PT404' },
      },
      'an offer of a private profile': {
        sql: `select (public.book_session_time({offer hidden talk}, current_date + interval '40 days')).id is not null`,
        who: { refused: ['ghost', 'service'], rest: 'PT404' },
      },
    },
  },
  'get_session_times(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator’s offer': {
        sql: 'select cardinality((public.get_session_times({offer talk})).starts_at) > 1000',
        who: { PT404: ['blocked'], refused: ['ghost', 'service'], rest: 'true' },
      },
      'of an offer that is no more': {
        sql: 'select public.get_session_times({offer old talk})',
        who: { refused: ['ghost', 'service'], rest: 'PT404' },
      },
      'of a private profile': {
        sql: 'select public.get_session_times({offer hidden talk})',
        who: { refused: ['ghost', 'service'], rest: 'PT404' },
      },
    },
  },
  'broadcast_notification_to_all_users(text,text,text,jsonb,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'an announcement': {
        sql: `select public.broadcast_notification_to_all_users('announcement', 'Hello', 'All') > 0`,
        who: { true: ['admin', 'service'] },
      },
    },
  },
  'count_users(text)': {
    anon: false,
    authenticated: true,
    calls: { 'counts everybody': { sql: 'select public.count_users() > 0', who: { true: ['admin', 'service'] } } },
  },
  'get_users_with_emails(text,integer,timestamp with time zone,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: `select email from public.get_users_with_emails('creator')`,
        who: { 'creator@example.com': ['admin', 'service'] },
      },
    },
  },
  'get_unread_counts()': {
    anon: false,
    authenticated: true,
    calls: {
      'the caller’s own': {
        sql: 'select (c).notifications || chr(32) || (c).messages from public.get_unread_counts() c',
        who: {
          '9 0': ['creator'],
          '4 1': ['stranger'],
          '3 1': ['subscriber'],
          '1 1': ['buyer'],
          '2 3': ['lower'],
          '1 0': ['recluse'],
          '0 1': ['applicant'],
          '3 0': ['admin'],
          '2 1': ['rival'],
          rest: '0 0',
        },
      },
    },
  },
  'get_poll_results(uuid,integer,timestamp with time zone,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the open poll': {
        sql: 'select total_votes from public.get_poll_results({poll open})',
        who: { '1': [...signedIn, 'service'] },
      },
      'of a locked post’s poll': {
        sql: 'select count(*) from public.get_poll_results({poll locked})',
        who: { '1': ['lower', 'subscriber', 'creator', 'admin', 'service'], refused: ['visitor'], rest: '0' },
      },
      'of polls for all users': {
        sql: `select string_agg(title, ' ' order by title) from public.get_poll_results()`,
        who: { 'closed open': [...signedIn, 'service'] },
      },
    },
  },
  'get_fan_sheet(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the subscriber': {
        sql: `select coalesce((select case when spent > 0 then 'paid' else 'nothing' end from public.get_fan_sheet({subscriber})), 'none')`,
        who: { paid: ['creator'], nothing: ['rival', 'recluse', 'admin'], rest: 'none' },
      },
    },
  },
  'get_vault_album_files(uuid,text,text,text,text,text,uuid,integer)': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s album': {
        sql: `select coalesce((select string_agg(f.kind, ' ') from public.get_vault_album_files({album of creator}) f), 'none')`,
        who: { video: ['creator'], rest: 'none' },
      },
    },
  },
  'members_count(fan_lists)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator’s list': {
        sql: `select public.members_count(row({list/creator}, null, null, null, null)::public.fan_lists)`,
        who: { '1': ['creator', 'service'], rest: '0' },
      },
    },
  },
  'count_audience(jsonb)': {
    anon: false,
    authenticated: true,
    calls: {
      'of those who pay': {
        sql: `select least(public.count_audience('{"all": [{"condition": "spent", "is": "at_least", "cents": 1}]}'), 1)`,
        who: { '1': ['creator', 'recluse'], '0': ['rival', 'admin'], rest: 'refused' },
      },
      'of the creator’s list': {
        sql: `select public.count_audience(jsonb_build_object('all', jsonb_build_array(jsonb_build_object('condition', 'in_list', 'list', {list/creator}::uuid))))`,
        who: { '1': ['creator'], '22023': ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
    },
  },
  'get_fans(uuid,text,text,boolean,text,uuid,integer)': {
    anon: false,
    authenticated: true,
    calls: {
      'all of the own': {
        sql: `select count(*) > 0 from public.get_fans()`,
        who: { true: ['creator', 'recluse', 'rival'], false: ['admin'], rest: 'refused' },
      },
      'on the creator’s list': {
        sql: `select count(*) from public.get_fans({list/creator})`,
        who: { '1': ['creator'], '22023': ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
    },
  },
  'add_to_fan_list(uuid,uuid[])': {
    anon: false,
    authenticated: true,
    calls: {
      'a fan, to the creator’s': {
        sql: `select public.add_to_fan_list({list/creator}, array[{buyer}]::uuid[])`,
        who: { '1': ['creator'], PT404: ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
      'nobody, to the creator’s': {
        sql: `select public.add_to_fan_list({list/creator}, array[gen_random_uuid()])`,
        who: { PT404: ['creator', 'recluse', 'rival', 'admin'], rest: 'refused' },
      },
    },
  },
  'remove_from_fan_list(uuid,uuid[])': {
    anon: false,
    authenticated: true,
    calls: {
      'a fan, from the creator’s': {
        sql: `select public.remove_from_fan_list({list/creator}, array[{subscriber}]::uuid[])`,
        who: { '1': ['creator'], PT404: ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
    },
  },
  'delete_fan_list(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s': {
        sql: `select public.delete_fan_list({list/creator})`,
        who: { '': ['creator'], PT404: ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
    },
  },
  'get_vault_files(text,text,text,text,text,uuid,integer)': {
    anon: false,
    authenticated: true,
    calls: {
      'the own vault': {
        sql: `select coalesce((select string_agg(f.kind, ' ') from public.get_vault_files() f), 'none')`,
        who: { video: ['creator'], rest: 'none' },
      },
    },
  },
  'get_vault_albums()': {
    anon: false,
    authenticated: true,
    calls: {
      'their own': {
        sql: `select coalesce((select string_agg(a.file_count::text, ' ') from public.get_vault_albums() a), 'none')`,
        who: { 0: ['rival'], 1: ['creator'], rest: 'none' },
      },
    },
  },
  'get_vault_uses(uuid,timestamp with time zone,uuid,integer)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator’s file': {
        sql: 'select count(*) from public.get_vault_uses({vault/creator/first})',
        who: { 1: ['creator'], rest: '0' },
      },
    },
  },
  'get_vault_recipients(uuid,timestamp with time zone,uuid,integer)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator’s file': {
        sql: 'select count(*) from public.get_vault_recipients({vault/creator/first})',
        who: { 1: ['creator'], rest: '0' },
      },
    },
  },
  'search_messages(text,uuid,timestamp with time zone,uuid,integer)': {
    anon: false,
    authenticated: true,
    calls: {
      'their own': {
        sql: `select count(*) from public.search_messages('words')`,
        who: { 1: ['subscriber', 'buyer', 'applicant'], 2: ['lower'], 3: ['creator'], 4: ['rival'], rest: '0' }, // not the locked ones
      },
      'with the creator': {
        sql: `select count(*) from public.search_messages('words', with_id => {creator})`,
        who: { 1: ['subscriber', 'buyer', 'applicant'], rest: '0' },
      },
    },
  },
  'get_thread_around(uuid,uuid,integer,integer)': {
    anon: false,
    authenticated: true,
    calls: {
      'of creator and buyer': {
        sql: 'select count(*) from public.get_thread_around({creator}, {message of creator to buyer})',
        who: { 1: ['buyer'], rest: '0' },
      },
      'of buyer and creator': {
        sql: 'select count(*) from public.get_thread_around({buyer}, {message of creator to buyer})',
        who: { 1: ['creator'], rest: '0' },
      },
    },
  },
  'get_vault_history(uuid[],uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator’s file and a buyer': {
        sql: `select coalesce((select h.price::text from public.get_vault_history(array[{vault/creator/first}]::uuid[], {buyer}) h), 'none')`,
        who: { 500: ['creator'], rest: 'none' },
      },
    },
  },
  'get_vault_space(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'their own': {
        sql: `select coalesce((select 'space' from public.get_vault_space()), 'none')`,
        who: { space: ['creator', 'recluse', 'rival', 'admin'], rest: 'none' },
      },
      'of the creator': {
        sql: `select coalesce((select 'space' from public.get_vault_space({creator})), 'none')`,
        who: { space: ['admin', 'service'] },
      },
    },
  },
  'set_vault_quota(uuid,integer)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: 'select public.set_vault_quota({creator}, 5)',
        who: { '': ['admin', 'service'] },
      },
      'of the stranger': {
        sql: 'select public.set_vault_quota({stranger}, 5)',
        who: { PT404: ['admin', 'service'] },
      },
    },
  },
  'add_to_vault_album(uuid,uuid[])': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s file to the creator’s album': {
        sql: 'select public.add_to_vault_album({album of creator}, array[{vault/creator/first}]::uuid[])',
        who: { 0: ['creator'], rest: 'PT404' },
      },
      'the creator’s file to the rival’s album': {
        sql: 'select public.add_to_vault_album({album of rival}, array[{vault/creator/first}]::uuid[])',
        who: { 0: ['rival'], rest: 'PT404' },
      },
    },
  },
  'remove_from_vault_album(uuid,uuid[])': {
    anon: false,
    authenticated: true,
    calls: {
      'from the creator’s album': {
        sql: 'select public.remove_from_vault_album({album of creator}, array[{vault/creator/first}]::uuid[])',
        who: { 1: ['creator'], rest: 'PT404' },
      },
    },
  },
  'arrange_vault_albums(uuid[])': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s': {
        sql: `select 'done' from (select public.arrange_vault_albums(array[{album of creator}]::uuid[])) called`,
        who: { done: ['creator'], rest: 'PT404' },
      },
    },
  },
  'get_vault_removal(uuid[])': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator’s file': {
        sql: `select r.messages || ' ' || r.buyers from public.get_vault_removal(array[{vault/creator/first}]::uuid[]) r`,
        who: { '1 1': ['creator'], rest: '0 0' },
      },
    },
  },
  'delete_vault_files(uuid[])': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s': {
        sql: 'select public.delete_vault_files(array[{vault/creator/first}]::uuid[])',
        who: { 1: ['creator'], rest: '0' },
      },
    },
  },
  'set_alt_text(text,text)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator’s picture': {
        sql: `select public.set_alt_text({creator.user} || '/draft', 'A pier')`,
        who: { '': ['creator'], rest: 'PT404' },
      },
      'of a video': {
        sql: `select public.set_alt_text({creator.user} || '/clip', 'A pier')`,
        who: { rest: 'PT404' },
      },
    },
  },
  'use_vault_files(uuid[],text)': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s file': {
        sql: `select cardinality(public.use_vault_files(array[{vault/creator/first}]::uuid[], 'posts'))`,
        who: { 1: ['creator'], rest: 'PT404' },
      },
    },
  },
  'unsend_message(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'one that was bought': {
        sql: 'select public.unsend_message({message of creator to buyer})',
        who: { PT409: ['creator'], rest: 'PT404' },
      },
      'one that was reported': {
        sql: 'select public.unsend_message({message of creator to stranger})',
        who: { PT409: ['creator'], rest: 'PT404' },
      },
      'one that nobody has bought': {
        sql: 'select public.unsend_message({message of rival to buyer})',
        who: { '': ['rival'], rest: 'PT404' },
      },
    },
  },
  'claim_link_visits(text)': {
    anon: false,
    authenticated: true,
    calls: {
      'of nothing': {
        sql: `select public.claim_link_visits('')`,
        who: { refused: ['ghost', 'suspended', 'service'], rest: '' },
      },
    },
  },
  'get_trial_offers(uuid,text)': {
    anon: true,
    authenticated: true,
    calls: {
      'of a creator without any': {
        sql: `select count(*)::text from public.get_trial_offers({creator})`,
        who: { rest: '0' },
      },
    },
  },
  'get_offers(uuid)': {
    anon: true,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: `select coalesce((select string_agg(o.offer_cents || ' with ' || o.places_left || ' left', ', ' order by o.interval_count) from public.get_offers({creator}) o), 'none')`,
        who: {
          none: ['subscriber', 'lower', 'lapsed'],
          '699 with 8 left, 6294 with 8 left': ['stranger'],
          rest: '699 with 7 left, 6294 with 7 left',
        },
      },
      'of a private profile': {
        sql: `select coalesce((select string_agg(o.offer_cents::text, ', ' order by o.interval_count) from public.get_offers({recluse}) o), 'none')`,
        who: { '699, 6294': ['recluse'], rest: 'none' },
      },
    },
  },
  'offers_used(offers)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator’s offer': {
        sql: `select public.offers_used(jsonb_populate_record(null::public.offers, jsonb_build_object('id', {offer of creator}::uuid)))::text`,
        who: { '1': ['creator'], rest: '0' },
      },
    },
  },
  'create_offer(integer,integer,text,uuid[],timestamp with time zone,integer)': {
    anon: false,
    authenticated: true,
    calls: {
      'for former subscribers of all plans': {
        sql: `select public.create_offer(10, 1, 'former', null, null, 5) is not null`,
        who: { true: ['creator', 'rival', 'recluse'], PT404: ['admin'], rest: 'refused' },
      },
      'on a plan of the creator': {
        sql: `select public.create_offer(10, 1, 'former', array[{plan premium}]::uuid[], null, 5) is not null`,
        who: { true: ['creator'], PT404: ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
      'beside an open one': {
        sql: `select public.create_offer(10, 1, 'all', array[{plan basic}]::uuid[], null, 5)`,
        who: { PT409: ['creator'], PT404: ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
    },
  },
  'end_offer(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s': {
        sql: 'select public.end_offer({offer of creator})',
        who: { '': ['creator'], rest: 'PT404' },
      },
    },
  },
  'get_link_retention(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator’s link': {
        sql: `select count(*)::text from public.get_link_retention({link of creator})`,
        who: { '1': ['creator'], rest: '0' },
      },
    },
  },
  'trials_used(tracking_links)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator’s link': {
        sql: `select public.trials_used(jsonb_populate_record(null::public.tracking_links, jsonb_build_object('id', {link of creator}::uuid)))::text`,
        who: { '1': ['creator'], rest: '0' },
      },
    },
  },
  'get_flows()': {
    anon: false,
    authenticated: true,
    calls: {
      'the caller’s own': {
        sql: `select coalesce((select string_agg(f.name, ', ') from public.get_flows() f), 'none')`,
        who: { 'SECRET flow': ['creator'], rest: 'none' },
      },
    },
  },
  'save_flow(text,jsonb,jsonb,time without time zone,time without time zone,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'a new one': {
        sql: `select public.save_flow('New', '{"trigger": "follow"}', jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'kind', 'end'))) is not null`,
        who: { true: ['creator', 'rival', 'recluse', 'admin'], rest: 'refused' },
      },
      'with the creator’s file': {
        sql: `select public.save_flow('New', '{"trigger": "follow"}', jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'kind', 'send',
          'content', 'Hi', 'price_cents', null, 'file_ids', jsonb_build_array({vault/creator/first}::uuid), 'preview_index', null))) is not null`,
        who: { true: ['creator'], PT404: ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
      'with the creator’s list': {
        sql: `select public.save_flow('New', jsonb_build_object('trigger', 'list', 'list', {list/creator}::uuid),
          jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'kind', 'end'))) is not null`,
        who: { true: ['creator'], '22023': ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
      'the creator’s': {
        sql: `select public.save_flow('New', '{"trigger": "follow"}', jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'kind', 'end')),
          flow_id => {flow of creator}) is not null`,
        who: { true: ['creator'], PT404: ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
    },
  },
  'set_flow_status(uuid,text)': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s': {
        sql: `select public.set_flow_status({flow of creator}, 'active')`,
        who: { '': ['creator'], PT404: ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
    },
  },
  'delete_flow(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s': {
        sql: `select public.delete_flow({flow of creator})`,
        who: { '': ['creator'], rest: 'PT404' },
      },
    },
  },
  'test_flow(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s': {
        sql: `select public.test_flow({flow of creator})`,
        who: { '1': ['creator'], PT404: ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
    },
  },
  'get_products(uuid,timestamp with time zone,uuid,integer)': {
    anon: true,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: `select coalesce((select string_agg(p.title, ' ' order by p.title) from public.get_products({creator}) p), 'none')`,
        who: { 'draft sold': ['creator'], none: ['blocked'], rest: 'sold' },
      },
      'of the recluse': {
        sql: `select coalesce((select string_agg(p.title, ' ') from public.get_products({recluse}) p), 'none')`,
        who: { hidden: ['recluse'], rest: 'none' },
      },
    },
  },
  'get_product(uuid)': {
    anon: true,
    authenticated: true,
    calls: {
      'one for sale': {
        sql: `select coalesce((select case when p.files -> 0 ? 'path' then 'file' else 'page' end from public.get_product({product sold}) p), 'none')`,
        who: { file: ['creator', 'buyer', 'admin'], none: ['blocked'], rest: 'page' },
      },
      'a draft': {
        sql: `select coalesce((select 'page' from public.get_product({product draft})), 'none')`,
        who: { page: ['creator', 'admin'], rest: 'none' },
      },
      'one that is no longer sold': {
        sql: `select coalesce((select 'page' from public.get_product({product ended})), 'none')`,
        who: { page: ['rival', 'buyer', 'admin'], rest: 'none' },
      },
      'of a private profile': {
        sql: `select coalesce((select 'page' from public.get_product({product hidden})), 'none')`,
        who: { page: ['recluse', 'admin'], rest: 'none' },
      },
    },
  },
  'save_product(text,integer,jsonb,text,text,boolean,integer,integer,text,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'a new one': {
        sql: `select public.save_product('New', 500, '[]') is not null`,
        who: { true: ['creator', 'rival', 'recluse', 'admin'], rest: 'PT403' },
      },
      'the creator’s': {
        sql: `select public.save_product('New', 500, '[]', product_id => {product draft}) is not null`,
        who: { true: ['creator'], PT404: ['rival', 'recluse', 'admin'], rest: 'PT403' },
      },
      'with the creator’s file': {
        sql: `select public.save_product('New', 500, jsonb_build_array(jsonb_build_object('path', {creator.user} || '/spare', 'name', 'a.zip'))) is not null`,
        who: { true: ['creator'], rest: 'PT403' },
      },
    },
  },
  'set_product_status(uuid,text)': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s': {
        sql: `select public.set_product_status({product sold}, 'archived')`,
        who: { '': ['creator'], rest: 'PT404' },
      },
    },
  },
  'delete_product(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'a draft of the creator': {
        sql: `select public.delete_product({product draft})`,
        who: { '': ['creator'], rest: 'PT404' },
      },
      'one that somebody has bought': {
        sql: `select public.delete_product({product sold})`,
        who: { PT409: ['creator'], rest: 'PT404' },
      },
    },
  },
  'create_goal(text,text,bigint,timestamp with time zone,text,text,boolean)': {
    anon: false,
    authenticated: true,
    calls: {
      'a new one': {
        sql: `select public.create_goal('New', 'subscribers', 1000, now() + interval '1 day') is not null`,
        who: { true: ['creator', 'rival', 'recluse', 'admin'], rest: 'PT403' },
      },
      'with a picture of the subscriber': {
        sql: `select public.create_goal('New', 'subscribers', 1000, now() + interval '1 day', cover_path => {subscriber.user} || '/picture') is not null`,
        who: { rest: 'PT403' },
      },
    },
  },
  'change_goal(uuid,text,text,text)': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s': {
        sql: `select public.change_goal({goal shown}, 'New')`,
        who: { '': ['creator'], rest: 'PT404' },
      },
    },
  },
  'end_goal(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s': {
        sql: 'select public.end_goal({goal shown})',
        who: { '': ['creator'], rest: 'PT404' },
      },
    },
  },
  'delete_goal(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s': {
        sql: 'select public.delete_goal({goal shown})',
        who: { '': ['creator'], rest: 'PT404' },
      },
      'one that an admin has taken down': {
        sql: 'select public.delete_goal({goal taken down})',
        who: { PT409: ['rival'], rest: 'PT404' },
      },
    },
  },
  'take_down_goal(uuid,text)': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s': {
        sql: `select public.take_down_goal({goal shown}, 'Fraud')`,
        who: { '': ['admin', 'service'] },
      },
      'one that is taken down': {
        sql: `select public.take_down_goal({goal taken down}, 'Fraud')`,
        who: { PT409: ['admin', 'service'] },
      },
    },
  },
  'get_library(text,text,timestamp with time zone,uuid,integer)': {
    anon: false,
    authenticated: true,
    calls: {
      'the caller’s own': {
        sql: `select coalesce((select string_agg(i.kind, ' ' order by i.kind) from public.get_library() i), 'none')`,
        who: {
          'message post post product product session': ['buyer'],
          message: ['applicant'],
          session: ['lower'],
          rest: 'none',
        },
      },
    },
  },
  'get_saved_replies()': {
    anon: false,
    authenticated: true,
    calls: {
      'the caller’s own': {
        sql: `select coalesce((select string_agg(r.content, ', ') from public.get_saved_replies() r), 'none')`,
        who: { 'SECRET reply': ['creator', 'subscriber'], rest: 'none' },
      },
    },
  },
  'save_reply(text,integer,uuid[],uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'a new one': {
        sql: `select public.save_reply('Hi') is not null`,
        who: { refused: ['visitor', 'ghost', 'service'], rest: 'true' },
      },
      'with a price': {
        sql: `select public.save_reply('Hi', 500) is not null`,
        who: { true: ['creator', 'rival', 'recluse', 'admin'], rest: 'refused' },
      },
      'with the creator’s file': {
        sql: `select public.save_reply('Hi', file_ids => array[{vault/creator/first}]::uuid[]) is not null`,
        who: { true: ['creator'], PT404: ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
      'another’s': {
        sql: `select public.save_reply('Hi', reply_id => {reply of creator}) is not null`,
        who: { true: ['creator'], refused: ['visitor', 'ghost', 'service'], rest: 'PT404' },
      },
    },
  },
  'react_to_message(uuid,text)': {
    anon: false,
    authenticated: true,
    calls: {
      'one that was bought': {
        sql: `select public.react_to_message({message of creator to buyer}, '❤️')`,
        who: { '': ['creator', 'buyer'], rest: 'PT404' },
      },
      'one that is locked for its recipient': {
        sql: `select public.react_to_message({message of rival to buyer}, '👍')`,
        who: { '': ['rival'], rest: 'PT404' },
      },
      'with words': {
        sql: `select public.react_to_message({message of creator to subscriber}, 'words')`,
        who: { '23514 messages_reactions_emoji': ['creator', 'subscriber'], rest: 'PT404' },
      },
    },
  },
  'can_message(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator': {
        sql: 'select public.can_message({creator})',
        who: { false: ['creator', 'blocked', 'ghost', 'service'], rest: 'true' },
      },
    },
  },
  'count_unread_messages()': {
    anon: false,
    authenticated: true,
    calls: {
      'of the caller': {
        sql: 'select public.count_unread_messages()',
        who: { 1: ['subscriber', 'buyer', 'stranger', 'rival', 'applicant'], 3: ['lower'], rest: '0' },
      },
    },
  },
  'get_conversation(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'with the creator': {
        sql: `select coalesce((select coalesce(last_content, 'locked') from public.get_conversation({creator})), 'none')`,
        who: { 'SECRET words': ['subscriber', 'buyer', 'applicant'], locked: ['stranger', 'lower'], rest: 'none' },
      },
    },
  },
  'update_conversation(uuid,boolean,boolean,boolean)': {
    anon: false,
    authenticated: true,
    calls: {
      'with the creator': {
        sql: 'select public.update_conversation({creator}, true, true, true)',
        who: { '': ['subscriber', 'buyer', 'stranger', 'lower', 'applicant'], rest: 'PT404' },
      },
    },
  },
  'restrict_fan(uuid,boolean)': {
    anon: false,
    authenticated: true,
    calls: {
      'the subscriber': {
        sql: 'select public.restrict_fan({subscriber}, true)',
        who: { '': ['creator', 'rival', 'recluse', 'admin'], rest: 'refused' },
      },
      nobody: {
        sql: 'select public.restrict_fan({nobody})',
        who: { PT404: ['creator', 'rival', 'recluse', 'admin'], rest: 'refused' },
      },
    },
  },
  'restricted_among(uuid[])': {
    anon: false,
    authenticated: true,
    calls: {
      'the one whom the creator restricts': {
        sql: 'select cardinality(public.restricted_among(array[{lower}, {subscriber}]::uuid[]))',
        who: { 1: ['creator'], rest: '0' },
      },
    },
  },
  'get_conversations(text,integer,timestamp with time zone,uuid,text,text,timestamp with time zone,bigint,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'with those on the creator’s list': {
        sql: 'select count(*) >= 0 from public.get_conversations(list_id => {list/creator})',
        who: { true: ['creator'], rest: '22023' },
      },
      'the caller’s own, unpaid ones without their text': {
        sql: `select string_agg(coalesce(last_content, 'locked'), ', ' order by last_content) from public.get_conversations()`,
        who: {
          'SECRET words, SECRET words, SECRET words': ['creator', 'rival'],
          'SECRET words': ['subscriber', 'applicant'],
          'SECRET words, locked': ['buyer', 'lower'],
          locked: ['stranger'],
          rest: '',
        },
      },
    },
  },
  'get_thread(uuid,integer,timestamp with time zone,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'with the creator': {
        sql: `select string_agg(coalesce(content, 'locked') || cardinality(media_urls), ', ') from public.get_thread({creator})`,
        who: {
          'SECRET words1': ['subscriber', 'buyer'],
          'SECRET words2': ['applicant'],
          locked0: ['stranger', 'lower'],
          rest: '',
        },
      },
    },
  },
  'open_own_data()': {
    anon: false,
    authenticated: true,
    calls: {
      'holds the caller’s own and not the creator’s': {
        sql: `select concat_ws(' ', case when e like '%SECRET of creator%' then 'creator' end, case when e like '%SECRET of recluse%' then 'recluse' end,
          case when e like '%open open SECRET%' then 'posts' end, case when e like '%example.com"%' then 'account' end) from concat(public.open_own_data(), cursor_to_xml('own_data', 10000, false, false, '')) e`,
        who: {
          'creator posts account': ['creator'],
          'recluse posts account': ['recluse'],
          'posts account': ['rival'],
          refused: ['service'],
          rest: 'account',
        },
      },
      'tells nobody who has blocked them': {
        sql: `select concat(public.open_own_data(), cursor_to_xml('own_data', 10000, false, false, '')) like '%<section>blocks<%'`,
        who: { true: ['creator'], refused: ['service'], rest: 'false' },
      },
      'by a connected app': {
        sql: `select public.open_own_data() from ${asApp}`,
        who: { rest: 'refused' },
      },
    },
  },
  'get_my_referrer()': {
    anon: false,
    authenticated: true,
    calls: {
      'the caller’s own': {
        sql: 'select username from public.get_my_referrer()',
        who: { creator: ['stranger'], rest: '' },
      },
    },
  },
  'get_referral_stats(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: 'select (public.get_referral_stats({creator})).total_referrals',
        who: { '1': ['creator', 'admin', 'service'] },
      },
    },
  },
  'get_creator_growth(uuid)': dashboard('get_creator_growth($)'),
  'get_earnings_series(uuid,date,date)': dashboard('get_earnings_series($)'),
  'get_revenue_split(uuid,date,date)': dashboard('get_revenue_split($)'),
  'get_views_series(uuid,date,date)': dashboard('get_views_series($)'),
  'get_top_posts(uuid,integer)': dashboard('get_top_posts($)'),
  'get_creator_balance(uuid)': dashboard('get_creator_balance($)', {
    nobody: { sql: 'select public.get_creator_balance({nobody})', who: { PT404: ['admin', 'service'] } },
  }),
  'get_subscriber_series(uuid,date,date,text,text,text)': dashboard('get_subscriber_series($)'),
  'get_subscriber_groups(uuid,date,date,text)': dashboard('get_subscriber_groups($)'),
  'get_subscriber_retention(uuid,text)': dashboard('get_subscriber_retention($)'),
  'get_subscriber_values(uuid)': dashboard('get_subscriber_values($)'),
  'get_analytics_marks(uuid,date,date,text)': dashboard('get_analytics_marks($)'),
  'get_earnings_totals(uuid)': dashboard('get_earnings_totals($)'),
  'get_plan_subscribers(uuid)': dashboard('get_plan_subscribers($)'),
  'get_earlier_prices(uuid)': dashboard('get_earlier_prices($)'),
  'get_subscribers(uuid,text,text,integer,timestamp with time zone,uuid)': dashboard('get_subscribers($)', {
    'who have left': {
      sql: `select count(*) from public.get_subscribers({creator}, null, 'past')`,
      who: { '1': ['creator', 'admin', 'service'] },
    },
  }),
  'get_funnel(date,date,text)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the caller': {
        sql: `select sum(f.payments)::text from public.get_funnel(current_date - 1, current_date + 1, 'UTC') f`,
        who: { '7': ['creator'], '0': ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
    },
  },
  'get_content_figures(text,text,text,integer,bigint,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'posts of the caller': {
        sql: `select coalesce(string_agg(f.title, ', ' order by f.title), 'none') from public.get_content_figures('posts') f`,
        who: {
          'creator/basic, creator/free, creator/ppv, creator/premium': ['creator'],
          'rival/free, rival/ppv, rival/solo': ['rival'],
          'recluse/free, recluse/hidden, recluse/ppv': ['recluse'],
          none: ['admin'],
          rest: 'refused',
        },
      },
      'messages of the caller': {
        sql: `select coalesce(string_agg(f.title, ', ' order by f.title), 'none') from public.get_content_figures('messages') f`,
        who: { 'SECRET words': ['creator'], none: ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
      'products of the caller': {
        sql: `select coalesce(string_agg(f.title, ', ' order by f.title), 'none') from public.get_content_figures('products') f`,
        who: { sold: ['creator'], ended: ['rival'], hidden: ['recluse'], none: ['admin'], rest: 'refused' },
      },
    },
  },
  'get_single_message_figures()': {
    anon: false,
    authenticated: true,
    calls: {
      'of the caller': {
        sql: `select (public.get_single_message_figures()).purchases::text`,
        who: { '1': ['creator'], '0': ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
    },
  },
  'get_media_reach(uuid,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of a post of the rival': {
        sql: `select coalesce((select r.reached[1]::text from public.get_media_reach({rival/solo}) r), 'none')`,
        who: { '0': ['rival'], none: ['creator', 'recluse', 'admin'], rest: 'refused' },
      },
    },
  },
  'record_media_progress(text,integer)': {
    anon: false,
    authenticated: true,
    calls: {
      'in a video of the rival': {
        sql: `select public.record_media_progress('posts/' || {rival.user} || '/solo', 50)`,
        who: { true: ['admin'], closed: ['visitor'], rest: 'false' },
      },
      'in a picture of the creator': {
        sql: `select public.record_media_progress('posts/' || {creator.user} || '/free', 50)`,
        who: { closed: ['visitor'], rest: 'false' },
      },
    },
  },
  'get_post_figures(uuid[])': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator and of the recluse': {
        sql: 'select count(*) from public.get_post_figures(array[{creator/free}, {recluse/free}]::uuid[])',
        who: { '2': ['admin', 'service'], '1': ['creator', 'recluse'], rest: '0' },
      },
    },
  },
  'message_subscribers(text,integer,text)': {
    anon: false,
    authenticated: true,
    calls: {
      'the caller’s own': {
        sql: `select public.message_subscribers('Hello') >= 0`,
        who: { true: ['creator', 'rival', 'recluse', 'admin'], refused: ['service'] },
      },
      'who have left': {
        sql: `select public.message_subscribers('Hello', 0, 'past')`,
        who: { '1': ['creator'], '0': ['rival', 'recluse', 'admin'], refused: ['service'] },
      },
    },
  },
  'save_mass_message(text,integer,uuid[],integer,jsonb,boolean,integer,timestamp with time zone,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'a new one': {
        sql: `select public.save_mass_message('Hi', null, null, null, '{"include": [{"condition": "everyone"}]}', false, null, null) is not null`,
        who: { true: ['creator', 'rival', 'recluse', 'admin'], rest: 'refused' },
      },
      'with the creator’s file': {
        sql: `select public.save_mass_message('Hi', null, array[{vault/creator/first}]::uuid[], null, '{"include": [{"condition": "everyone"}]}', false, null, null) is not null`,
        who: { true: ['creator'], PT404: ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
      'for the creator’s list': {
        sql: `select public.save_mass_message('Hi', null, null, null, jsonb_build_object('include', jsonb_build_array(jsonb_build_object('condition', 'in_list', 'list', {list/creator}::uuid))), false, null, null) is not null`,
        who: { true: ['creator'], '22023': ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
      'the creator’s': {
        sql: `select public.save_mass_message('Hi', null, null, null, '{"include": [{"condition": "everyone"}]}', false, null, null, {mass draft}) is not null`,
        who: { true: ['creator'], PT404: ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
    },
  },
  'count_mass_recipients(jsonb,uuid[],boolean,integer)': {
    anon: false,
    authenticated: true,
    calls: {
      'of their own': {
        sql: `select least(public.count_mass_recipients('{"include": [{"condition": "everyone"}]}'), 1)`,
        who: { '1': ['creator', 'recluse', 'rival'], '0': ['admin'], rest: 'refused' },
      },
    },
  },
  'send_mass_message(uuid,timestamp with time zone,text)': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s draft': {
        sql: `select (public.send_mass_message({mass draft})).status`,
        who: { sending: ['creator'], PT404: ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
      'the creator’s that was sent': {
        sql: `select (public.send_mass_message({mass sent})).status`,
        who: { PT409: ['creator'], PT404: ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
    },
  },
  'unschedule_mass_message(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s': {
        sql: `select public.unschedule_mass_message({mass scheduled})`,
        who: { '': ['creator'], PT404: ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
    },
  },
  'delete_mass_message(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s': {
        sql: `select public.delete_mass_message({mass draft})`,
        who: { '': ['creator'], PT404: ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
    },
  },
  'unsend_mass_message(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s': {
        sql: `select public.unsend_mass_message({mass sent})`,
        who: { '1': ['creator'], PT404: ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
    },
  },
  'set_mass_message_end(uuid,timestamp with time zone)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator’s': {
        sql: `select public.set_mass_message_end({mass sent}, null)`,
        who: { '': ['creator'], PT404: ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
    },
  },
  'get_mass_messages(text,timestamp with time zone,uuid,integer)': {
    anon: false,
    authenticated: true,
    calls: {
      'of their own': {
        sql: `select coalesce((select string_agg(g.content, ', ') from public.get_mass_messages('draft') g), 'none')`,
        who: { 'SECRET draft': ['creator'], 'SECRET words': ['recluse'], none: ['rival', 'admin'], rest: 'refused' },
      },
    },
  },
  'get_mass_message(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'the creator’s': {
        sql: `select (public.get_mass_message({mass sent})).content`,
        who: { 'SECRET words': ['creator'], PT404: ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
    },
  },
  'get_mass_message_fans(uuid,text,uuid,integer)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator’s': {
        sql: `select count(*) from public.get_mass_message_fans({mass sent}, 'delivered')`,
        who: { '2': ['creator'], PT404: ['recluse', 'rival', 'admin'], rest: 'refused' },
      },
    },
  },
  'create_gift(uuid,integer,text,text,text,timestamp with time zone)': {
    anon: false,
    authenticated: true,
    calls: {
      'to an address': {
        sql: `select public.create_gift({plan basic}, 3, null, 'someone@example.org') is not null`,
        who: { PT409: ['creator'], PT403: ['blocked'], refused: ['ghost', 'service'], rest: 'true' },
      },
      'to the buyer': {
        sql: `select public.create_gift({plan basic}, 3, 'buyer') is not null`,
        who: { PT409: ['creator', 'buyer'], PT403: ['blocked'], refused: ['ghost', 'service'], rest: 'true' },
      },
      'of a private profile': {
        sql: `select public.create_gift({plan hidden}, 3, null, 'someone@example.org') is not null`,
        who: { refused: ['ghost', 'service'], rest: 'PT404' },
      },
      'by a connected app': {
        sql: `select public.create_gift({plan basic}, 3, null, 'someone@example.org') from ${asApp}`,
        who: { rest: 'refused' },
      },
    },
  },
  'redeem_gift(text)': {
    anon: false,
    authenticated: true,
    calls: {
      'to lapsed': {
        sql: `select public.redeem_gift('to lapsed') is not null`,
        who: { true: ['lapsed'], PT409: ['stranger', 'creator'], refused: ['ghost', 'service'], rest: 'PT403' },
      },
      'by email': {
        sql: `select public.redeem_gift('by email') is not null`,
        who: {
          PT409: ['stranger', 'creator', 'subscriber', 'lower'],
          PT403: ['blocked'],
          refused: ['ghost', 'service'],
          rest: 'true',
        },
      },
      'a code': {
        sql: `select public.redeem_gift('a code') is not null`,
        who: {
          PT409: ['creator', 'subscriber', 'lower'],
          PT403: ['blocked'],
          refused: ['ghost', 'service'],
          rest: 'true',
        },
      },
      'by a connected app': {
        sql: `select public.redeem_gift('a code') from ${asApp}`,
        who: { rest: 'refused' },
      },
    },
  },
  'get_gift(text)': {
    anon: true,
    authenticated: true,
    calls: {
      'to lapsed': {
        sql: `select g.state || coalesce(' ' || g.message, '') from public.get_gift('to lapsed') g`,
        who: {
          'open SECRET note': ['lapsed'],
          'own SECRET note': ['stranger'],
          own: ['creator'],
          open: ['visitor', 'ghost', 'service'],
          rest: 'for_another',
        },
      },
      'by email': {
        sql: `select g.state from public.get_gift('by email') g`,
        who: {
          own: ['stranger', 'creator'],
          subscribed: ['subscriber', 'lower'],
          unavailable: ['blocked'],
          rest: 'open',
        },
      },
    },
  },
  'get_given_gifts(integer,timestamp with time zone,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of their own': {
        sql: 'select count(g.code) from public.get_given_gifts() g',
        who: { '2': ['stranger'], rest: '0' },
      },
      'by a connected app': { sql: `select (public.get_given_gifts()).code from ${asApp}`, who: { rest: 'refused' } },
    },
  },
  'take_back_gift(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the stranger': {
        sql: 'select public.take_back_gift({gift to lapsed})',
        who: { '': ['stranger'], rest: 'PT404' },
      },
    },
  },
  'send_gift_again(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the stranger': {
        sql: 'select public.send_gift_again({gift to lapsed})',
        who: { '': ['stranger'], rest: 'PT404' },
      },
    },
  },
  'create_gift_codes(uuid,integer,integer,date)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator’s plan': {
        sql: 'select public.create_gift_codes({plan basic}, 1, 2, current_date + 1) is not null',
        who: { true: ['creator'], PT404: ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
      'by a connected app': {
        sql: `select public.create_gift_codes({plan basic}, 1, 2, current_date + 1) from ${asApp}`,
        who: { rest: 'refused' },
      },
    },
  },
  'get_gift_batches(integer,timestamp with time zone,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of their own': {
        sql: 'select count(*) from public.get_gift_batches()',
        who: { '1': ['creator'], rest: '0' },
      },
    },
  },
  'get_gift_codes(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: 'select count(g.code) from public.get_gift_codes({gift codes}) g',
        who: { '1': ['creator'], rest: 'PT404' },
      },
      'by a connected app': {
        sql: `select (public.get_gift_codes({gift codes})).code from ${asApp}`,
        who: { rest: 'refused' },
      },
    },
  },
  'mute_offers(uuid,boolean)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the rival': {
        sql: `select public.mute_offers({rival})`,
        who: { PT404: ['rival'], refused: ['visitor', 'ghost', 'service'], rest: '' },
      },
    },
  },
  'get_muted_offers()': {
    anon: false,
    authenticated: true,
    calls: {
      'of the caller': {
        sql: `select coalesce((select string_agg(o.username, ', ') from public.get_muted_offers() o), 'none')`,
        who: { creator: ['subscriber'], rest: 'none' },
      },
    },
  },
  'count_offer_mutes()': {
    anon: false,
    authenticated: true,
    calls: {
      'of the caller': {
        sql: `select public.count_offer_mutes()`,
        who: { '1': ['creator'], '0': ['rival', 'recluse', 'admin'], rest: 'refused' },
      },
    },
  },
  'may_join_call(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the buyer with the creator': {
        sql: 'select public.may_join_call({call})',
        who: { true: ['buyer', 'creator'], rest: 'false' },
      },
      'too early': { sql: 'select public.may_join_call({booking})', who: { rest: 'false' } },
    },
  },
  'record_post_views(uuid[])': {
    anon: false,
    authenticated: true,
    calls: {
      'of an open and of a locked post': {
        sql: `select public.record_post_views(array[{creator/free}, {creator/premium}]::uuid[])`,
        who: { '': [...signedIn, 'service'] },
      },
    },
  },
  'search_profiles(text,integer)': {
    anon: true,
    authenticated: true,
    calls: {
      'finds the closed profile, closed': {
        sql: `select string_agg(case when bio is null then 'face' else 'whole' end, ' ') from public.search_profiles('recluse')`,
        who: { whole: ['recluse', 'admin', 'service'], rest: 'face' },
      },
    },
  },
  'search_posts(text,integer)': {
    anon: true,
    authenticated: true,
    calls: {
      'the comments that a post counts': {
        sql: `select coalesce((select comments_count::text from public.posts where id = {creator/free}), 'none')`,
        who: { 2: ['lower', 'creator', 'admin', 'service'], none: ['blocked'], rest: '1' },
      },
      'finds no word of locked text': {
        sql: `select count(*) from public.search_posts('SECRET') where is_locked`,
        who: { '0': everyone },
      },
    },
  },
  'posts_for_sale(integer)': {
    anon: true,
    authenticated: true,
    calls: {
      'offers nothing of the private creator': {
        sql: 'select count(*) from public.posts_for_sale() where creator_id = {recluse}',
        who: { '0': everyone },
      },
    },
  },
  'search_tags(text)': {
    anon: true,
    authenticated: true,
    calls: {
      'finds a category': {
        sql: `select string_agg(category, ' ') from public.search_tags('photo')`,
        who: { Photography: everyone },
      },
    },
  },
  'publish_scheduled_post(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: 'select public.publish_scheduled_post({creator/later}) = {creator/later}',
        who: { true: ['creator'], rest: 'PT404' },
      },
      'of nobody': { sql: 'select public.publish_scheduled_post({nobody})', who: { rest: 'PT404' } },
    },
  },
  'set_video_captions(text,text,text)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator’s video': {
        sql: `select public.set_video_captions({creator.user} || '/clip', 'en', E'WEBVTT\\n\\n00:01.000 --> 00:02.000\\nHello')`,
        who: { '': ['creator'], rest: 'PT404' },
      },
      'of a picture': {
        sql: `select public.set_video_captions({creator.user} || '/draft', 'en', null)`,
        who: { rest: 'PT404' },
      },
    },
  },
  'set_picture_focus(text,numeric,numeric)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the creator’s picture': {
        sql: `select public.set_picture_focus({creator.user} || '/draft', 0.5, 0.25)`,
        who: { '': ['creator'], rest: 'PT404' },
      },
      'of a video': {
        sql: `select public.set_picture_focus({creator.user} || '/clip', 0.5, 0.5)`,
        who: { rest: 'PT404' },
      },
    },
  },
  'get_present_username(text)': {
    anon: true,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: `select coalesce(public.get_present_username('Creator-Before'), 'none')`,
        who: { none: ['blocked'], rest: 'creator' },
      },
      'of the creator, after its time': {
        sql: `select coalesce(public.get_present_username('creator-long-before'), 'none')`,
        who: { rest: 'none' },
      },
      'of the private profile': {
        sql: `select coalesce(public.get_present_username('recluse-before'), 'none')`,
        who: { recluse: ['recluse', 'admin', 'service'], rest: 'none' },
      },
    },
  },
  'is_username_reserved(text)': {
    anon: true,
    authenticated: true,
    calls: {
      'for the creator': {
        sql: `select public.is_username_reserved('Creator-Before')`,
        who: { false: ['creator'], rest: 'true' },
      },
      'for nobody any more': {
        sql: `select public.is_username_reserved('creator-long-before')`,
        who: { rest: 'false' },
      },
    },
  },
  'get_message_notice(uuid)': {
    anon: true,
    authenticated: true,
    calls: {
      'of the creator, who is away': {
        sql: `select coalesce((select away_message from public.get_message_notice({creator})), 'none')`,
        who: { none: ['blocked'], rest: 'Back soon' },
      },
      'of the private profile': {
        sql: `select coalesce((select reply_time from public.get_message_notice({recluse})), 'none')`,
        who: { none: ['visitor', 'ghost', 'service'], rest: 'hour' },
      },
      'of one who is not approved': {
        sql: `select coalesce((select away_message from public.get_message_notice({applicant})), 'none')`,
        who: { rest: 'none' },
      },
    },
  },
  'set_profile_links(jsonb)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the caller': {
        sql: `select url from public.set_profile_links('[{"label": "Shop", "url": "https://shop.example/"}]')`,
        who: { 'https://shop.example/': ['creator', 'rival', 'recluse', 'admin'], rest: 'refused' },
      },
    },
  },
  'get_subscription_facts(uuid)': {
    anon: true,
    authenticated: true,
    calls: {
      'of the creator': {
        sql: `select coalesce((select posts::text from public.get_subscription_facts({creator})), 'none')`,
        who: { none: ['blocked'], rest: '2' },
      },
      'of the private profile': {
        sql: `select coalesce((select posts::text from public.get_subscription_facts({recluse})), 'none')`,
        who: { '1': ['recluse', 'admin', 'service'], rest: 'none' },
      },
      'of one who is not approved': {
        sql: `select coalesce((select posts::text from public.get_subscription_facts({applicant})), 'none')`,
        who: { '0': ['applicant', 'admin', 'service'], rest: 'none' },
      },
    },
  },
  'get_own_reply_time()': {
    anon: false,
    authenticated: true,
    calls: {
      'of the caller': {
        sql: `select coalesce(public.get_own_reply_time(), 'none')`,
        who: { hour: ['recluse'], rest: 'none' },
      },
    },
  },
  'record_presence()': {
    anon: false,
    authenticated: true,
    calls: { 'of the caller': { sql: 'select public.record_presence()', who: { '': [...signedIn, 'service'] } } },
  },
  'report_time_zone(text)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the caller': {
        sql: `select public.report_time_zone('Europe/Lisbon')`,
        who: { '': [...signedIn, 'service'] },
      },
    },
  },
  'accept_terms(text)': {
    anon: false,
    authenticated: true,
    calls: {
      'the caller’s own': {
        sql: 'select public.accept_terms() is not null',
        who: { true: [...signedIn.filter((persona) => persona !== 'ghost'), 'suspended'], false: ['ghost', 'service'] },
      },
    },
  },
  'save_push_subscription(text,text,text,text)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the caller’s own browser': {
        sql: `select public.save_push_subscription('https://push.example/1', repeat('k', 87), repeat('a', 22)) is not null`,
        who: { true: signedIn.filter((persona) => persona !== 'ghost'), refused: ['ghost', 'service'] },
      },
      'by a connected app': {
        sql: `select public.save_push_subscription('https://push.example/2', repeat('k', 87), repeat('a', 22)) from ${asApp}`,
        who: { rest: 'refused' },
      },
    },
  },
  'list_push_subscriptions()': {
    anon: false,
    authenticated: true,
    calls: {
      'only the caller’s own': {
        sql: 'select count(*) from public.list_push_subscriptions()',
        who: { '0': [...signedIn, 'service'] },
      },
    },
  },
  'get_own_confirmations()': {
    anon: false,
    authenticated: true,
    calls: {
      'only the caller’s own': {
        sql: 'select count(*) from public.get_own_confirmations()',
        who: { '0': [...signedIn, 'service'] },
      },
    },
  },
  'remove_push_subscription(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of nobody': {
        sql: 'select public.remove_push_subscription({nobody})',
        who: { false: [...signedIn, 'service'] },
      },
      'by a connected app': {
        sql: `select public.remove_push_subscription({nobody}) from ${asApp}`,
        who: { rest: 'refused' },
      },
    },
  },
  'list_own_sessions()': {
    anon: false,
    authenticated: true,
    calls: {
      'only the caller’s own': {
        sql: 'select count(*) from public.list_own_sessions()',
        who: { '0': [...signedIn, 'service'] },
      },
    },
  },
  'end_own_session(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of nobody': { sql: 'select public.end_own_session({nobody})', who: { false: [...signedIn, 'service'] } },
      'by a connected app': {
        sql: `select public.end_own_session({nobody}) from ${asApp}`,
        who: { rest: 'refused' },
      },
    },
  },
  'reveal_ssn(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of the applicant': {
        sql: 'select public.reveal_ssn({application of applicant})',
        who: { '123-45-6789': ['admin'], refused: ['service'] },
      },
      'of nothing': { sql: 'select public.reveal_ssn({nobody})', who: { PT404: ['admin'], refused: ['service'] } },
    },
  },
  'suspend_user(uuid,text)': {
    anon: false,
    authenticated: true,
    calls: {
      'the stranger': {
        sql: `select public.suspend_user({stranger}, 'Spam')`,
        who: { '': ['admin', 'service'] },
      },
      'an admin': {
        sql: `select public.suspend_user({admin}, 'Spam')`,
        who: { PT409: ['admin', 'service'] },
      },
      nobody: { sql: `select public.suspend_user({nobody}, 'Spam')`, who: { PT404: ['admin', 'service'] } },
    },
  },
  'reinstate_user(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'the suspended': { sql: 'select public.reinstate_user({suspended})', who: { '': ['admin', 'service'] } },
      'who is not': { sql: 'select public.reinstate_user({stranger})', who: { PT409: ['admin', 'service'] } },
      nobody: { sql: 'select public.reinstate_user({nobody})', who: { PT404: ['admin', 'service'] } },
    },
  },
  'take_down(text,uuid,text)': {
    anon: false,
    authenticated: true,
    calls: {
      'a post': {
        sql: `select public.take_down('post', {creator/free}, 'Spam')`,
        who: { '': ['admin', 'service'] },
      },
      'what is gone': {
        sql: `select public.take_down('post', {nobody}, 'Spam')`,
        who: { PT404: ['admin', 'service'] },
      },
      'a message that was reported': {
        sql: `select public.take_down('message', {message of bystander to rival}, 'Spam')`,
        who: { '': ['admin', 'service'] },
      },
      'a message that nobody reported': {
        sql: `select public.take_down('message', {message of rival to buyer}, 'Spam')`,
        who: { PT404: ['admin', 'service'] },
      },
      'a product': {
        sql: `select public.take_down('product', {product sold}, 'Spam')`,
        who: { '': ['admin', 'service'] },
      },
      'a story': {
        sql: `select public.take_down('story', {story creator/everyone}, 'Spam')`,
        who: { '': ['admin', 'service'] },
      },
      'a person': {
        sql: `select public.take_down('profile', {rival}, 'Spam')`,
        who: { '22023': ['admin', 'service'] },
      },
    },
  },
  'get_reports(boolean,integer,timestamp with time zone,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'the open ones': {
        sql: 'select count(*) > 0 from public.get_reports()',
        who: { true: ['admin', 'service'] },
      },
      'the files that their reporters saw': {
        sql: `select string_agg(split_part(media_urls[1], '/', 2), ' ' order by split_part(media_urls[1], '/', 2))
          from public.get_reports() where media_urls <> '{}'`,
        who: { 'reported secret': ['admin', 'service'] },
      },
      'no files of what is settled': {
        sql: `select count(*) from public.get_reports(true) where media_urls <> '{}'`,
        who: { '0': ['admin', 'service'] },
      },
    },
  },
  'get_audit_log(text,text,uuid,timestamp with time zone,timestamp with time zone,integer,timestamp with time zone,uuid)':
    {
      anon: false,
      authenticated: true,
      calls: {
        'of the suspension': {
          sql: `select actor || ' ' || subject_type from public.get_audit_log(action => 'suspend_user')`,
          who: { 'admin profiles': ['admin', 'service'] },
        },
      },
    },
  'get_suspension(uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of one who is not suspended': {
        sql: 'select count(*) from public.get_suspension({creator})',
        who: { '0': ['admin', 'service'] },
      },
    },
  },
  'get_admin_queues()': {
    anon: false,
    authenticated: true,
    calls: {
      'of what waits': {
        sql: 'select (public.get_admin_queues()).pending_applications >= 0',
        who: { true: ['admin', 'service'] },
      },
    },
  },
  'get_admin_overview()': {
    anon: false,
    authenticated: true,
    calls: {
      'of the users': {
        sql: 'select (public.get_admin_overview()).users > 0',
        who: { true: ['admin', 'service'] },
      },
    },
  },
  'get_payments(text,integer,timestamp with time zone,uuid)': {
    anon: false,
    authenticated: true,
    calls: {
      'of a creator': {
        sql: `select count(*) > 0 from public.get_payments('creator')`,
        who: { true: ['admin', 'service'] },
      },
    },
  },
  'get_money_overview(date,date)': {
    anon: false,
    authenticated: true,
    calls: {
      'of today': {
        sql: 'select (public.get_money_overview(current_date - 1, current_date + 1)).payments > 0',
        who: { true: ['admin', 'service'] },
      },
    },
  },
  'get_money_series(date,date)': {
    anon: false,
    authenticated: true,
    calls: {
      'of three days': {
        sql: 'select count(*) from public.get_money_series(current_date - 1, current_date + 1)',
        who: { '3': ['admin', 'service'] },
      },
    },
  },
  'get_platform_balances()': {
    anon: false,
    authenticated: true,
    calls: {
      'what is owed': {
        sql: 'select (public.get_platform_balances()).owed_to_creators > 0',
        who: { true: ['admin', 'service'] },
      },
    },
  },
  'get_payment_differences(boolean)': {
    anon: false,
    authenticated: true,
    calls: {
      'none in sound books': {
        sql: 'select count(*) from public.get_payment_differences()',
        who: { '0': ['admin', 'service'] },
      },
    },
  },
  'settle_payment_difference(uuid,text)': {
    anon: false,
    authenticated: true,
    calls: {
      'that is not there': {
        sql: `select public.settle_payment_difference({nobody}, 'Looked at')`,
        who: { PT404: ['admin', 'service'] },
      },
    },
  },
}

/** Helper functions that policies and views call with the reader's permissions. Clients can't name objects in `private`. */
export const helpers = {
  anon: [
    'auth.aal()',
    'auth.email()',
    'auth.jwt()',
    'auth.is_suspended()',
    'auth.role()',
    'auth.uid()',
    'private.can_read_post_file(text)',
    'private.can_read_story_file(text)',
    'private.can_see_story(stories)',
    'private.can_view_post(uuid)',
    'private.files_kept_for_me(uuid)',
    'private.has_proved_factors()',
    'private.hidden_comments(uuid,uuid,integer)',
    'private.is_admin()',
    'private.is_hidden_comment(uuid,uuid)',
    'private.is_own_path(text)',
    'private.is_own_post(uuid)',
    'private.is_private_profile(uuid)',
    'private.is_privileged()',
    'private.is_service()',
    'private.is_suspended(uuid)',
    'private.monthly_cents(integer,text)',
    'private.my_blocks()',
    'private.my_profile_id()',
    'private.shows_layout(uuid)',
    'private.without_alt(jsonb)',
    // Triggers call these with the permissions of the user whose write fires them. None is security definer: policies on
    // realtime.messages decide, and a rejected broadcast is a warning.
    'realtime.broadcast_changes(text,text,text,text,text,record,record,text)',
    'realtime.send(jsonb,text,text,boolean)',
    'realtime.send_binary(bytea,text,text,boolean)',
    'realtime.topic()',
  ],
  authenticatedToo: [
    'private.are_day_hours(jsonb)',
    'private.are_tags(text[])',
    'private.are_tip_presets(integer[],integer)',
    'private.are_weekly_hours(jsonb)',
    'auth.export_account()',
    'auth.open_message_authors()',
    'auth.open_unseen_data()',
    'auth.is_admin()',
    'private.can_read_message_file(text)',
    'private.can_read_product_file(text)',
    'private.contributed_to(uuid)',
    'private.is_approved_creator(uuid)',
    'private.is_product_file(text)',
    'private.is_reported_file(text)',
    'private.is_sent_file(text)',
    'private.may_comment(uuid)',
    'private.may_hear(text,text)',
    'private.may_like_comment(uuid)',
    'private.may_meet(text)',
    'private.may_react(uuid)',
    'private.may_say(text,text)',
    'private.message_previews(text[],boolean,integer)',
    'private.message_quote(uuid)',
    'private.new_link_code()',
    'private.owns_product(uuid)',
    'private.poll_options(text)',
    'private.vault_words(uuid,text,text,text)',
  ],
}
