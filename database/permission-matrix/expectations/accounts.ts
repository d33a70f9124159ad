import type { Persona } from '../personas.ts'
import { asApp, everyone, type Relation, type Who } from '../relation.ts'

/** An open profile: its owner and privileged callers read all of it, everyone else all but the owner's private fields. */
const openProfile = (...owner: Persona[]): Who => ({ own: [...owner, 'admin', 'service'], rest: 'whole' })
/** A private profile, for viewers without access: the name and the counts. */
const closedProfile = (owner: Persona, ...closedTo: Persona[]): Who => ({
  own: [owner, 'admin', 'service'],
  face: closedTo,
  rest: 'whole',
})
const openPeople: Persona[] = [
  'creator',
  'rival',
  'stranger',
  'subscriber',
  'lower',
  'lapsed',
  'buyer',
  'blocked',
  'applicant',
]

/** Only its receiver reads a notification, not even an admin does. */
const bell: Record<string, Who> = Object.fromEntries(
  (
    [
      ['subscription', 'creator'],
      ['payment', 'creator'],
      ['verification', 'creator'],
      ['verification', 'stranger'],
      ['other', 'stranger'],
      ['message', 'subscriber'],
      ['message', 'lower'],
      ['message', 'stranger'],
      ['message', 'buyer'],
      ['message', 'rival'],
      ['like', 'creator'],
      ['other', 'creator'],
      ['other', 'rival'],
      ['other', 'recluse'],
      ['other', 'admin'],
    ] as const
  ).map(([type, person]) => [`${type} of ${person}`, [person]]),
)
bell['other of suspended'] = [] // visible again after reinstatement

export const accounts: Record<string, Relation> = {
  'public.profiles': {
    named: 'select id as key, username as name from private.profiles',
    shape: `case
      when num_nonnulls(total_earnings, terms_accepted_at, stripe_onboarding_completed, stripe_charges_enabled, stripe_payouts_enabled, bio) = 6 then 'own'
      when num_nonnulls(total_earnings, terms_accepted_at, stripe_account_id, stripe_onboarding_completed, stripe_charges_enabled, stripe_payouts_enabled) > 0 then 'leak'
      when num_nonnulls(bio, website_url, cover_url) = 3 then 'whole'
      when num_nonnulls(bio, website_url, cover_url) = 0 and categories = '{}' then 'face'
      else 'leak' end || case role when 'admin' then ' admin' else '' end || case when last_seen_at is not null then ' seen' else '' end`,
    anon: 'select',
    authenticated:
      'select insert(display_name,user_id,username) update(avatar_url,bio,categories,cover_url,display_name,is_creator,is_private,tiered_access,username,website_url)',
    serviceLacks: ['delete'],
    select: {
      ...Object.fromEntries(openPeople.map((person) => [person, openProfile(person)])),
      creator: { 'own seen': ['creator', 'admin', 'service'], face: ['blocked'], rest: 'whole seen' },
      rival: { 'own seen': ['rival', 'admin', 'service'], rest: 'whole' }, // hides its online status (SET-19)
      blocked: closedProfile('blocked', 'creator'),
      admin: { 'own admin': ['admin', 'service'], rest: 'whole admin' },
      bystander: openProfile(),
      recluse: { 'own seen': ['recluse', 'admin', 'service'], rest: 'face' }, // PROF-22
      suspended: { own: ['suspended', 'admin', 'service'], rest: 'face' },
    },
    insert: {
      'for the caller’s own account': {
        sql: `insert into public.profiles (user_id, username) values ({me.user}, 'fresh')`,
        who: {
          yes: ['ghost'],
          refused: ['visitor'],
          '23505 profiles_user_id_key': ['suspended'],
          rest: '23505 profiles_user_id_key',
        },
      },
      'for another’s account': {
        sql: `insert into public.profiles (user_id, username) values ({bystander.user}, 'fresh')`,
        who: { '23505 profiles_user_id_key': ['service'], rest: 'refused' },
      },
    },
    update: {
      'what the person says': {
        set: `display_name = 'New', bio = 'New', avatar_url = 'a', cover_url = 'b', website_url = 'https://example.com', categories = '{}', is_private = true, tiered_access = true`,
        rows: {
          ...Object.fromEntries(openPeople.map((person) => [person, { yes: [person], refused: ['admin'] } as const])),
          admin: ['admin'],
          bystander: { refused: ['admin'] },
          recluse: { yes: ['recluse'], refused: ['admin'] },
          suspended: { refused: ['suspended', 'admin'] },
        },
        proof: `private.profiles where display_name = 'New' and bio = 'New' and is_private`,
      },
      'creator flag': {
        set: 'is_creator = not is_creator',
        rows: {
          ...Object.fromEntries(openPeople.map((person) => [person, [person, 'admin'] as const])),
          admin: ['admin'],
          bystander: ['admin'],
          recluse: ['recluse', 'admin'],
          suspended: { refused: ['suspended'], yes: ['admin'] },
        },
      },
    },
  },
  'public.former_usernames': {
    named: `select f.username as key, p.username as name from public.former_usernames f join private.profiles p on p.id = f.profile_id`,
    key: 'username',
    anon: '',
    authenticated: 'select',
    select: { creator: ['creator', 'admin'], recluse: ['recluse', 'admin'] },
  },
  'public.custom_domains': {
    named: `select d.creator_id as key, p.username as name from public.custom_domains d join private.profiles p on p.id = d.creator_id`,
    key: 'creator_id',
    anon: '',
    authenticated: 'select insert(creator_id,domain) delete',
    select: { creator: ['creator', 'admin'], recluse: ['recluse', 'admin'] },
    insert: {
      'as themselves': {
        sql: `insert into public.custom_domains (creator_id, domain) values ({me}, 'mine.example')`,
        who: { yes: ['rival', 'admin'], '23505 custom_domains_pkey': ['creator', 'recluse'] },
      },
      // It proves nothing yet, so it may be anybody's.
      'the domain of the creator': {
        sql: `insert into public.custom_domains (creator_id, domain) values ({me}, 'creator.example')`,
        who: { yes: ['rival', 'admin'], '23505 custom_domains_pkey': ['creator', 'recluse'] },
      },
      'as a rival': {
        sql: `insert into public.custom_domains (creator_id, domain) values ({rival}, 'mine.example')`,
        who: ['rival'],
      },
      'already verified': {
        sql: `insert into public.custom_domains (creator_id, domain, verified_at) values ({me}, 'mine.example', now())`,
        who: [],
      },
    },
    update: {
      'the proof': { set: 'verified_at = now()', rows: { creator: [], recluse: [] } },
    },
    delete: { creator: ['creator'], recluse: ['recluse'] },
  },
  'public.user_roles': {
    named: `select r.user_id as key, p.username as name from public.user_roles r join private.profiles p using (user_id)`,
    key: 'user_id',
    anon: '',
    authenticated: 'select',
    select: { admin: ['admin'] },
  },
  'public.creator_applications': {
    named: 'select id as key, full_name as name from public.creator_applications',
    shape: `case when full_ssn is null then 'yes' else 'leak' end`,
    anon: '',
    authenticated:
      'select insert(address,country,full_name,full_ssn,id,id_back_url,id_front_url,user_id) update(rejection_reason,reviewed_at,status)',
    select: { applicant: ['applicant', 'admin'], stranger: ['stranger', 'admin'], creator: ['creator', 'admin'] },
    insert: {
      'for the caller': {
        sql: `insert into public.creator_applications (user_id, full_name, address, full_ssn, id_front_url, id_back_url)
          values ({me.user}, 'Me', 'A street', '123456789', {me.user} || '/front', {me.user} || '/back')`,
        who: {
          yes: ['stranger'], // rejected before, and the images exist
          '23505 creator_applications_one_open': ['applicant', 'creator'],
          refused: ['visitor', 'suspended'],
          rest: 'PT422',
        },
      },
      'by a connected app': {
        sql: `insert into public.creator_applications (user_id, full_name, address, full_ssn, id_front_url, id_back_url)
          select {me.user}, 'Me', 'A street', '123456789', {me.user} || '/front', {me.user} || '/back' from ${asApp}`,
        // Without images, the image check fails first.
        who: { refused: ['applicant', 'stranger', 'creator', 'visitor', 'suspended'], rest: 'PT422' },
      },
      'for another': {
        sql: `insert into public.creator_applications (user_id, full_name, address, full_ssn, id_front_url, id_back_url)
          values ({bystander.user}, 'Me', 'A street', '123456789', {bystander.user} || '/front', {bystander.user} || '/back')`,
        who: { PT422: ['service'], rest: 'refused' },
      },
      'with another’s images': {
        sql: `insert into public.creator_applications (user_id, full_name, address, full_ssn, id_front_url, id_back_url)
          values ({me.user}, 'Me', 'A street', '123456789', {creator.user} || '/front', {creator.user} || '/back')`,
        who: { '23505 creator_applications_one_open': ['creator'], refused: ['visitor'], rest: 'PT403' },
      },
    },
    update: {
      approve: {
        set: `status = 'approved'`,
        rows: {
          applicant: ['admin'],
          creator: ['admin'], // already approved: nothing changes
          stranger: { PT409: ['admin', 'service'] }, // already decided; the user may apply again
        },
        blind: false,
      },
    },
  },
  'public.notifications': {
    named: `select n.id as key, n.type || ' of ' || p.username as name from public.notifications n join private.profiles p on p.id = n.user_id`,
    anon: '',
    authenticated: 'select update(is_read) delete',
    select: bell,
    update: { read: { set: 'is_read = true', rows: bell } },
    delete: bell,
  },
  'public.audit_log': {
    named: 'select id as key, action as name from public.audit_log',
    anon: '',
    authenticated: 'select',
    serviceLacks: ['update', 'delete'],
    select: {
      reveal_ssn: ['admin'],
      grant_role: ['admin'],
      review_application: ['admin'],
      settle_report: ['admin'],
      suspend_user: ['admin'],
    },
  },
  'public.post_alerts': {
    named: `select a.user_id as key, p.username as name from public.post_alerts a join private.profiles p on p.id = a.user_id`,
    key: 'user_id',
    anon: '',
    authenticated: 'select',
    select: { subscriber: ['subscriber'] },
  },
  'public.follows': {
    named: `select f.id as key, a.username || ' follows ' || b.username as name
      from public.follows f join private.profiles a on a.id = f.follower_id join private.profiles b on b.id = f.following_id`,
    anon: 'select',
    authenticated: 'select insert(follower_id,following_id) delete',
    select: {
      'subscriber follows creator': everyone,
      'lower follows creator': everyone,
      'bystander follows creator': everyone,
      'stranger follows rival': everyone,
      'subscriber follows recluse': ['subscriber', 'recluse', 'admin'],
    },
    insert: {
      'as themselves': {
        sql: 'insert into public.follows (follower_id, following_id) values ({me}, {rival})',
        who: {
          '23505 follows_once': ['stranger'],
          '23514 follows_not_self': ['rival'],
          refused: ['visitor', 'ghost'],
          rest: 'yes',
        },
      },
      'of the creator': {
        sql: 'insert into public.follows (follower_id, following_id) values ({me}, {creator})',
        who: {
          '23505 follows_once': ['subscriber', 'lower', 'service'],
          '23514 follows_not_self': ['creator'],
          PT403: ['blocked'],
          refused: ['visitor', 'ghost'],
          rest: 'yes',
        },
      },
      'as another': {
        sql: 'insert into public.follows (follower_id, following_id) values ({bystander}, {rival})',
        who: [],
      },
    },
    delete: {
      'subscriber follows creator': ['subscriber'],
      'lower follows creator': ['lower'],
      'subscriber follows recluse': ['subscriber'],
      'bystander follows creator': [],
      'stranger follows rival': ['stranger'],
    },
  },
  'public.profile_views': {
    named: `select profile_id as key, 'stranger saw creator' as name from public.profile_views`,
    key: 'profile_id',
    anon: '',
    authenticated: '',
    select: { 'stranger saw creator': [] },
  },
}
