import { randomUUID } from 'node:crypto'
import type { World } from '../world.ts'

/** In the order of signing up: the creator comes first, because the creator invited the stranger. The bystander isn't a persona. */
const usernames = [
  'creator',
  'rival',
  'recluse',
  'stranger',
  'subscriber',
  'lower',
  'lapsed',
  'buyer',
  'blocked',
  'applicant',
  'admin',
  'bystander',
  'suspended',
]

export async function buildPeople(world: World): Promise<void> {
  for (const username of usernames) {
    const ref = username === 'stranger' ? `private.referral_code({creator})` : 'null'
    world.name(
      `${username}.user`,
      await world.run(
        `insert into auth.users (email, email_confirmed_at, raw_user_meta_data)
         values ('${username}@example.com', now(), jsonb_build_object('username', '${username}', 'terms_accepted', true, 'ref', ${ref})) returning id`,
      ),
    )
    world.name(username, await world.run(`select id from private.profiles where username = '${username}'`))
  }
  world.name('ghost.user', await world.run(`insert into auth.users (email) values ('ghost@example.com') returning id`))
  await world.run('delete from private.profiles where user_id = {ghost.user}')
  world.name('ghost', randomUUID())
  world.name('nobody', randomUUID()) // an id that doesn't exist
  await world.run(`insert into public.user_roles (user_id, role) values ({admin.user}, 'admin')`)
  await world.run(
    `update private.profiles set bio = 'SECRET of ' || username, website_url = 'https://example.com/' || username,
       cover_url = '/banners/' || username, categories = array['Art']`,
  )
  for (const username of ['creator', 'rival', 'recluse']) {
    await world.run(
      `update private.profiles set is_creator = true, is_verified = true, stripe_account_id = 'acct_${username}', stripe_charges_enabled = true
       where id = {${username}}`,
    )
  }
  await world.run(`update private.profiles set tiered_access = true where id = {creator}`)
  await world.run(`update private.profiles set is_private = true where id = {recluse}`)
  await world.run(
    `update private.profiles set is_creator = true, stripe_account_id = 'acct_applicant', stripe_charges_enabled = true where id = {applicant}`,
  )
  await world.run(
    `insert into public.former_usernames (username, profile_id, released_at)
     values ('creator-before', {creator}, now()), ('creator-long-before', {creator}, now() - interval '91 days'), ('recluse-before', {recluse}, now())`,
  )
  await world.run(
    `insert into public.custom_domains (creator_id, domain, verified_at, checked_at)
     values ({creator}, 'creator.example', now(), now()), ({recluse}, 'recluse.example', null, null)`,
  )
  await buildApplications(world)
}

async function buildApplications(world: World): Promise<void> {
  for (const side of ['front', 'back']) await buildFile(world, 'suspended', 'verification', side)
  for (const username of ['applicant', 'stranger', 'creator']) {
    for (const side of ['front', 'back']) await buildFile(world, username, 'verification', side)
    world.name(
      `application of ${username}`,
      await world.run(
        `insert into public.creator_applications (user_id, full_name, address, full_ssn, id_front_url, id_back_url)
         values ({${username}.user}, '${username}', 'A street', '123-45-6789', {${username}.user} || '/front', {${username}.user} || '/back') returning id`,
      ),
    )
  }
  await world.run(`update public.creator_applications set status = 'approved' where id = {application of creator}`)
  await world.run(
    `update public.creator_applications set status = 'rejected', rejection_reason = 'Blurred' where id = {application of stranger}`,
  )
}

/** An uploaded file in the user's own folder; its name in the world is `bucket/username/name`. */
export async function buildFile(
  world: World,
  username: string,
  bucket: string,
  name: string,
  mimetype = 'image/jpeg',
): Promise<void> {
  world.name(
    `${bucket}/${username}/${name}`,
    await world.run(
      `insert into storage.objects (bucket_id, name, owner_id, metadata)
       values ('${bucket}', {${username}.user} || '/${name}', {${username}.user}, '{"mimetype": "${mimetype}"}') returning id`,
    ),
  )
}
