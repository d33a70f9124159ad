import type { Persona } from '../personas.ts'
import { everyone, everyoneBut, type Relation, signedIn } from '../relation.ts'

/** Who may open the post with the poll. */
const answering: Persona[] = ['lower', 'subscriber', 'creator', 'admin', 'service']

/** Content between the platform and all users. */
export const community: Record<string, Relation> = {
  'public.front_page': {
    named: `select id as key, 'the page' as name from public.front_page`,
    anon: 'select',
    authenticated: 'select',
    select: { 'the page': everyone },
  },
  'public.featured_creators': {
    named: `select f.creator_id as key, p.username as name from public.featured_creators f join private.profiles p on p.id = f.creator_id`,
    key: 'creator_id',
    anon: '',
    authenticated: 'select',
    select: { rival: ['admin'], recluse: ['admin'], creator: ['admin'] },
  },
  'public.polls': {
    named: 'select id as key, title as name from public.polls',
    anon: 'select',
    authenticated: 'select insert(description,expires_at,options,title) update(is_active)',
    select: { open: signedIn, closed: signedIn, shown: everyoneBut('blocked'), locked: answering },
    insert: {
      'a question': {
        sql: `insert into public.polls (title, options) values ('New', '["Yes", "No"]')`,
        who: ['admin'],
      },
    },
    update: {
      close: {
        set: 'is_active = false',
        rows: { open: ['admin'], closed: ['admin'], shown: ['admin'], locked: ['admin'] },
      },
    },
  },
  'public.poll_votes': {
    named: `select v.id as key, p.username || ' in ' || q.title as name
      from public.poll_votes v join public.polls q on q.id = v.poll_id join private.profiles p on p.id = v.user_id`,
    anon: '',
    authenticated: 'select insert(option_index,poll_id,user_id)',
    select: {
      'subscriber in open': signedIn,
      'subscriber in closed': signedIn,
      'subscriber in shown': [...signedIn.filter((each) => each !== 'blocked'), 'service'],
      'subscriber in locked': answering,
    },
    insert: {
      'as themselves': {
        sql: 'insert into public.poll_votes (poll_id, user_id, option_index) values ({poll open}, {me}, 1)',
        who: { '23505 poll_votes_one_per_voter': ['subscriber'], refused: ['visitor', 'ghost'], rest: 'yes' },
      },
      'in a closed poll': {
        sql: 'insert into public.poll_votes (poll_id, user_id, option_index) values ({poll closed}, {me}, 1)',
        who: { refused: ['visitor'], rest: 'PT409' },
      },
      'in the poll of a locked post': {
        sql: 'insert into public.poll_votes (poll_id, user_id, option_index) values ({poll locked}, {me}, 1)',
        who: {
          '23505 poll_votes_one_per_voter': ['subscriber'],
          refused: ['visitor'],
          yes: answering.filter((each) => each !== 'subscriber'),
          rest: 'PT404',
        },
      },
      'in no poll': {
        sql: 'insert into public.poll_votes (poll_id, user_id, option_index) values ({nobody}, {me}, 1)',
        who: { refused: ['visitor'], rest: 'PT404' },
      },
      'as another': {
        sql: 'insert into public.poll_votes (poll_id, user_id, option_index) values ({poll open}, {bystander}, 1)',
        who: [],
      },
    },
  },
  'public.support_requests': {
    named: 'select id as key, name from public.support_requests',
    anon: 'insert(category,email,message,name,priority,subject,user_id)',
    authenticated: 'select insert(category,email,message,name,priority,subject,user_id) update(status,updated_at)',
    select: { stranger: ['stranger', 'admin'], somebody: ['admin'] },
    insert: {
      'as nobody': {
        sql: `insert into public.support_requests (name, email, subject, message) values ('Me', 'me@example.com', 'Help', 'Please')`,
        who: everyone,
      },
      'as themselves': {
        sql: `insert into public.support_requests (user_id, name, email, subject, message) values ({me.user}, 'Me', 'me@example.com', 'Help', 'Please')`,
        who: signedIn,
      },
      'as another': {
        sql: `insert into public.support_requests (user_id, name, email, subject, message) values ({bystander.user}, 'Me', 'me@example.com', 'Help', 'Please')`,
        who: [],
      },
    },
    update: {
      settle: { set: `status = 'resolved', updated_at = now()`, rows: { stranger: ['admin'], somebody: ['admin'] } },
      'open again': {
        set: `status = 'open'`,
        rows: { stranger: { refused: ['admin'] }, somebody: { refused: ['admin'] } },
        blind: false,
      },
    },
  },
  'public.reports': {
    named: `select r.id as key, concat_ws(' ', p.username, 'reports', r.target_type) as name from public.reports r join private.profiles p on p.id = r.reporter_id`,
    // A report quotes what the reporter could see: the post and the message are locked for the stranger.
    shape: `case
      when target_type = 'message' then case when excerpt is null then 'locked' else 'whole' end
      when excerpt like '%open%' and excerpt not like '%SECRET%' then 'yes' else 'leak' end`,
    anon: '',
    authenticated: 'select insert(details,reason,reporter_id,target_id,target_type) update(resolution,status)',
    // Never the reported user.
    select: {
      'stranger reports post': ['stranger', 'admin'],
      'stranger reports message': { locked: ['stranger', 'admin', 'service'] },
      ...Object.fromEntries(
        (['buyer', 'rival', 'subscriber'] as const).map((reporter) => [
          `${reporter} reports message`,
          { whole: [reporter, 'admin', 'service'] },
        ]),
      ),
    },
    insert: {
      'as themselves': {
        sql: `insert into public.reports (reporter_id, target_type, target_id, reason) values ({me}, 'profile', {rival}, 'spam')`,
        who: { '23514 reports_not_self': ['rival'], refused: ['visitor', 'ghost'], rest: 'yes' },
      },
      'of a post that one does not see': {
        sql: `insert into public.reports (reporter_id, target_type, target_id, reason) values ({me}, 'post', {recluse/free}, 'spam')`,
        who: {
          yes: ['subscriber', 'admin', 'service'],
          '23514 reports_not_self': ['recluse'],
          refused: ['visitor'],
          rest: 'PT404',
        },
      },
      'of a story that one does not see': {
        sql: `insert into public.reports (reporter_id, target_type, target_id, reason) values ({me}, 'story', {story creator/list}, 'spam')`,
        who: {
          yes: ['subscriber', 'admin', 'service'],
          '23514 reports_not_self': ['creator'],
          refused: ['visitor'],
          rest: 'PT404',
        },
      },
      'of another’s message': {
        sql: `insert into public.reports (reporter_id, target_type, target_id, reason) values ({me}, 'message', {message of creator to stranger}, 'spam')`,
        who: {
          yes: ['service'],
          '23505 reports_one_open': ['stranger'], // already reported
          '23514 reports_not_self': ['creator'],
          refused: ['visitor'],
          rest: 'PT404',
        },
      },
      'of a product': {
        sql: `insert into public.reports (reporter_id, target_type, target_id, reason) values ({me}, 'product', {product sold}, 'spam')`,
        who: { '23514 reports_not_self': ['creator'], PT404: ['blocked'], refused: ['visitor', 'ghost'], rest: 'yes' },
      },
      'of a product that one does not see': {
        sql: `insert into public.reports (reporter_id, target_type, target_id, reason) values ({me}, 'product', {product hidden}, 'spam')`,
        who: {
          yes: ['admin', 'service'],
          '23514 reports_not_self': ['recluse'],
          refused: ['visitor'],
          rest: 'PT404',
        },
      },
      'of a product that one has bought': {
        sql: `insert into public.reports (reporter_id, target_type, target_id, reason) values ({me}, 'product', {product ended}, 'spam')`,
        who: {
          yes: ['buyer', 'admin', 'service'],
          '23514 reports_not_self': ['rival'],
          refused: ['visitor'],
          rest: 'PT404',
        },
      },
      'as another': {
        sql: `insert into public.reports (reporter_id, target_type, target_id, reason) values ({bystander}, 'profile', {rival}, 'spam')`,
        who: [],
      },
    },
    update: {
      settle: {
        set: `status = 'resolved'`,
        rows: {
          'stranger reports post': ['admin'],
          'stranger reports message': ['admin'],
          'buyer reports message': ['admin'],
          'rival reports message': ['admin'],
          'subscriber reports message': ['admin'],
        },
      },
    },
  },
}
