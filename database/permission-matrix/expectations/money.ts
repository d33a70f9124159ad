import { everyone, everyoneBut, type Relation, signedIn } from '../relation.ts'

export const money: Record<string, Relation> = {
  'public.subscription_products': {
    named: 'select id as key, name from public.subscription_products',
    anon: 'select',
    authenticated: 'select update(is_active)',
    select: {
      basic: everyone,
      premium: everyone,
      solo: everyone,
      retired: ['creator', 'lapsed', 'admin'], // its former subscribers may still read it
      hidden: ['recluse', 'subscriber', 'admin'],
      prepared: ['applicant', 'admin'],
    },
    insert: {
      'for the creator': {
        sql: `insert into public.subscription_products (creator_id, name, price_cents, interval) values ({creator}, 'New', 500, 'month')`,
        who: [],
      },
      'for who may not sell': {
        sql: `insert into public.subscription_products (creator_id, name, price_cents, interval) values ({subscriber}, 'New', 500, 'month')`,
        who: { PT403: ['service'] },
      },
      'for who waits for the review': {
        sql: `insert into public.subscription_products (creator_id, name, price_cents, interval) values ({applicant}, 'New', 500, 'month')`,
        who: [],
      },
    },
    update: {
      retire: {
        set: 'is_active = false',
        rows: {
          basic: ['creator'],
          premium: ['creator'],
          retired: ['creator'],
          solo: ['rival'],
          hidden: ['recluse'],
          prepared: ['applicant'],
        },
      },
      activate: {
        set: 'is_active = true',
        rows: {
          basic: ['creator'],
          premium: ['creator'],
          retired: ['creator'],
          solo: ['rival'],
          hidden: ['recluse'],
          prepared: { PT403: ['applicant', 'service'] },
        },
        blind: false,
      },
    },
  },
  'public.plan_terms': {
    named: `select t.product_id as key, p.name || ' for ' || t.months as name
      from public.plan_terms t join public.subscription_products p on p.id = t.product_id`,
    key: 'product_id',
    anon: 'select',
    authenticated: 'select',
    // Exactly those who see the plan.
    select: {
      'basic for 12': everyone,
      'retired for 12': ['creator', 'lapsed', 'admin'],
      'hidden for 12': ['recluse', 'subscriber', 'admin'],
    },
  },
  'public.price_moves': {
    named: `select m.id as key, a.username || ' to ' || b.username as name
      from public.price_moves m join private.profiles a on a.id = m.subscriber_id join private.profiles b on b.id = m.creator_id`,
    anon: '',
    authenticated: 'select',
    select: { 'subscriber to creator': ['subscriber', 'creator', 'admin'] },
  },
  'public.offers': {
    named: `select o.id as key, p.username as name from public.offers o join private.profiles p on p.id = o.creator_id`,
    anon: '',
    authenticated: 'select',
    select: { creator: ['creator'], recluse: ['recluse'] },
  },
  'public.offer_plans': {
    named: `select k.offer_id as key, p.name from public.offer_plans k join public.subscription_products p on p.id = k.plan_id`,
    key: 'offer_id',
    anon: '',
    authenticated: 'select',
    select: { basic: ['creator'], hidden: ['recluse'] },
  },
  'public.offer_uses': {
    named: `select u.id as key, p.username || case when u.used_at is null then ' holds' else ' has' end as name
      from public.offer_uses u join private.profiles p on p.id = u.fan_id`,
    anon: '',
    authenticated: 'select',
    select: { 'subscriber has': ['subscriber'], 'stranger holds': [] },
  },
  'public.billing_pauses': {
    named: `select b.id as key, p.username as name from public.billing_pauses b join private.profiles p on p.id = b.creator_id`,
    anon: 'select',
    authenticated: 'select',
    // Those who see the creator's plans see that nobody is billed for them now.
    select: {
      rival: everyone,
      recluse: ['recluse', 'subscriber', 'admin'],
      creator: ['creator', 'admin'], // it is over
    },
  },
  'public.pause_settings': {
    named: `select s.creator_id as key, p.username as name from public.pause_settings s join private.profiles p on p.id = s.creator_id`,
    key: 'creator_id',
    anon: '',
    authenticated: 'select',
    select: { creator: signedIn, recluse: ['recluse', 'subscriber', 'admin'] },
  },
  'public.subscription_tiers': {
    named: 'select id as key, name from public.subscription_products where is_active',
    anon: 'select',
    authenticated: 'select',
    serviceLacks: ['insert', 'update', 'delete'],
    select: { basic: everyone, premium: everyone, solo: everyone, hidden: ['recluse', 'subscriber', 'admin'] },
  },
  'public.subscriptions': {
    named: `select s.id as key, a.username || ' to ' || b.username as name
      from public.subscriptions s join private.profiles a on a.id = s.subscriber_id join private.profiles b on b.id = s.creator_id`,
    anon: '',
    authenticated: 'select',
    select: {
      'subscriber to creator': ['subscriber', 'creator', 'admin'],
      'subscriber to recluse': ['subscriber', 'recluse', 'admin'],
      'lower to creator': ['lower', 'creator', 'admin'],
      'lapsed to creator': ['lapsed', 'creator', 'admin'],
    },
  },
  'public.transactions': {
    named: `select t.id as key, a.username || ' pays ' || b.username || ': ' || t.transaction_type as name
      from public.transactions t join private.profiles a on a.id = t.from_user_id join private.profiles b on b.id = t.to_user_id`,
    anon: '',
    authenticated: 'select',
    select: {
      'subscriber pays creator: subscription': ['subscriber', 'creator', 'admin'],
      'buyer pays creator: ppv': ['buyer', 'creator', 'admin'],
      'buyer pays creator: paid_message': ['buyer', 'creator', 'admin'],
      'lower pays creator: private_session': ['lower', 'creator', 'admin'],
      'buyer pays recluse: ppv': ['buyer', 'recluse', 'admin'],
    },
  },
  'public.products': {
    named: 'select id as key, title as name from public.products',
    anon: 'select',
    authenticated: 'select',
    select: {
      sold: everyoneBut('blocked'),
      draft: ['creator', 'admin'],
      hidden: ['recluse', 'admin'],
      ended: ['rival', 'buyer', 'admin'], // archived, and its buyer keeps it
    },
  },
  'public.goals': {
    named: 'select id as key, title as name from public.goals',
    anon: 'select',
    authenticated: 'select',
    select: {
      shown: everyoneBut('blocked'),
      private: ['recluse', 'admin'],
      'long over': ['rival', 'buyer', 'admin'], // the buyer has tipped toward it
      'taken down': ['rival', 'admin'],
    },
  },
  'public.product_files': {
    named: 'select id as key, name from public.product_files',
    anon: '',
    authenticated: 'select',
    select: { 'SECRET name.zip': ['creator', 'buyer', 'admin'] },
  },
  'public.product_purchases': {
    named: `select b.id as key, p.title as name from public.product_purchases b join public.products p on p.id = b.product_id`,
    anon: '',
    authenticated: 'select',
    select: { sold: ['buyer'], ended: ['buyer'] },
  },
  'public.referrals': {
    named: `select r.id as key, a.username || ' invited ' || b.username as name
      from public.referrals r join private.profiles a on a.id = r.referrer_id join private.profiles b on b.id = r.referred_id`,
    anon: '',
    authenticated: 'select',
    select: { 'creator invited stranger': ['creator', 'stranger', 'admin'] },
  },
  'public.monetization_settings': {
    named: `select s.creator_id as key, p.username as name from public.monetization_settings s join private.profiles p on p.id = s.creator_id`,
    key: 'creator_id',
    anon: '',
    authenticated:
      'select insert(creator_id,message_price_cents,ppv_price_cents,takes_tips,tip_min_cents,tip_presets_cents) update(creator_id,message_price_cents,ppv_price_cents,takes_tips,tip_min_cents,tip_presets_cents)',
    select: { creator: signedIn, applicant: signedIn },
    insert: {
      'as themselves': {
        sql: 'insert into public.monetization_settings (creator_id) values ({me})',
        who: { yes: ['rival', 'recluse', 'admin'], '23505 monetization_settings_pkey': ['creator'] },
      },
      'as a rival': {
        sql: 'insert into public.monetization_settings (creator_id) values ({rival})',
        who: ['rival'],
      },
    },
    update: {
      'what they take': {
        set: 'takes_tips = false, tip_min_cents = 500',
        rows: { creator: ['creator'], applicant: { refused: ['applicant'] } },
      },
      'whose it is': {
        set: 'creator_id = {rival}',
        rows: { creator: { refused: ['creator'] }, applicant: { refused: ['applicant'] } },
      },
    },
  },
}
