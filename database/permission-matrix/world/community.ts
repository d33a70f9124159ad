import type { World } from '../world.ts'

/** Polls and support requests. */
export async function buildCommunity(world: World): Promise<void> {
  for (const [title, post] of [
    ['open', 'null'],
    ['closed', 'null'],
    ['shown', '{creator/free}'],
    ['locked', '{creator/basic}'], // the poll of a post that not everyone may see
  ]) {
    world.name(
      `poll ${title}`,
      await world.run(
        `insert into public.polls (title, options, post_id) values ('${title}', '["Yes", "No"]', ${post}) returning id`,
      ),
    )
    await world.run(
      `insert into public.poll_votes (poll_id, user_id, option_index) values ({poll ${title}}, {subscriber}, 0)`,
    )
  }
  await world.run('update public.polls set is_active = false where id = {poll closed}')
  for (const [name, user] of [
    ['stranger', '{stranger.user}'],
    ['somebody', 'null'],
  ]) {
    await world.run(
      `insert into public.support_requests (user_id, name, email, subject, message)
       values (${user}, '${name}', '${name}@example.com', 'Help', 'SECRET trouble') returning id`,
    )
  }
  for (const [reporter, type, target] of [
    ['stranger', 'post', '{creator/premium}'],
    ['stranger', 'message', '{message of creator to stranger}'], // locked for its reporter
    ['buyer', 'message', '{message of creator to buyer}'], // paid for
    ['rival', 'message', '{message of bystander to rival}'],
    ['subscriber', 'message', '{message of creator to subscriber}'],
  ] as const)
    await world.runAs(
      reporter,
      `insert into public.reports (reporter_id, target_type, target_id, reason) values ({me}, '${type}', ${target}, 'spam')`,
    )
  await world.runAs(
    'admin',
    `update public.reports set status = 'dismissed' where target_id = {message of creator to subscriber}`,
  )
}
