import type { World } from '../world.ts'
import { buildCommunity } from './community.ts'
import { buildContacts } from './contacts.ts'
import { buildTopics } from './topics.ts'

/** Interactions between the users, all through the product's own functions. */
export async function buildEvents(world: World): Promise<void> {
  await buildSubscriptions(world)
  await buildPayments(world)
  await buildReactions(world)
  await buildContacts(world)
  await world.run('insert into private.presence (profile_id) values ({creator}), ({rival}), ({recluse})')
  await world.run('update private.user_settings set show_online_status = false where user_id = {rival}')
  await buildCommunity(world)
  await buildTopics(world)
  await world.run(`select private.notify({stranger}, 'other', 'Hello', 'A word for you alone')`)
  await world.run(`insert into public.profile_views (profile_id, viewer_id) values ({creator}, {stranger})`)
  await world.run(
    `insert into public.audit_log (actor_id, action, subject_type, subject_id)
     values ({admin.user}, 'reveal_ssn', 'creator_applications', {application of applicant})`,
  )
}

async function buildSubscriptions(world: World): Promise<void> {
  const states = [
    { fan: 'subscriber', creator: 'creator', plan: 'premium', status: 'active', end: '30 days' },
    { fan: 'subscriber', creator: 'recluse', plan: 'hidden', status: 'active', end: '30 days' },
    { fan: 'lower', creator: 'creator', plan: 'basic', status: 'active', end: '30 days' },
    { fan: 'lapsed', creator: 'creator', plan: 'retired', status: 'canceled', end: '-1 day' },
  ]
  for (const { fan, creator, plan, status, end } of states) {
    await world.run(
      `select private.apply_subscription_state('sub_${fan}_${creator}', {${fan}}, {${creator}}, {plan ${plan}}, '${status}',
         now() - interval '20 days', now() + interval '${end}', null, ${status === 'canceled'}, null, now())`,
    )
  }
  await world.run(`update public.subscription_products set is_active = false where id = {plan retired}`)
}

async function buildPayments(world: World): Promise<void> {
  await world.run(
    `select private.post_subscription_payment('in_1', {subscriber}, {creator}, {plan premium}, 1999, 200, 'usd', now())`,
  )
  for (const creator of ['creator', 'recluse']) {
    await world.run(`select private.post_payment('ppv', 'pi_${creator}', {buyer}, {${creator}}, 500, 50, 'usd', now())`)
    await world.run(`insert into public.purchases (buyer_id, post_id) values ({buyer}, {${creator}/ppv})`)
  }
}

async function buildReactions(world: World): Promise<void> {
  // Subscribers follow already.
  const follows = [
    ['bystander', 'creator'],
    ['stranger', 'rival'],
  ]
  for (const [from, to] of follows)
    await world.run(`insert into public.follows (follower_id, following_id) values ({${from}}, {${to}})`)
  // The posts are news to the followers, and to one who hears only of paid ones.
  await world.run(`update public.follows set created_at = now() - interval '1 day'`)
  await world.runAs('subscriber', `select public.set_post_alerts({creator}, 'paid')`)
  for (const post of ['creator/free', 'creator/premium']) {
    await world.run(`insert into public.post_likes (post_id, user_id) values ({${post}}, {subscriber})`)
  }
  await world.run(`insert into public.bookmarks (post_id, user_id) values ({creator/ppv}, {subscriber})`)
  const comments = [
    ['bystander', 'creator/free'],
    ['subscriber', 'creator/premium'],
    ['subscriber', 'recluse/free'],
  ]
  for (const [who, post] of comments) {
    await world.run(`insert into public.comments (post_id, user_id, content) values ({${post}}, {${who}}, 'Lovely')`)
  }
}
