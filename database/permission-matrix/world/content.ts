import type { World } from '../world.ts'
import { buildFile } from './people.ts'

const plans = [
  { name: 'basic', creator: 'creator', cents: 999 },
  { name: 'premium', creator: 'creator', cents: 1999 },
  { name: 'retired', creator: 'creator', cents: 1499 },
  { name: 'solo', creator: 'rival', cents: 500 },
  { name: 'hidden', creator: 'recluse', cents: 999 },
  { name: 'prepared', creator: 'applicant', cents: 700 },
]
/** A post's name in the world is its title; the second half tells the audience: free, ppv, or a plan. */
const posts = [
  'creator/free',
  'creator/basic',
  'creator/premium',
  'creator/ppv',
  'rival/free',
  'rival/solo',
  'rival/ppv',
  'recluse/free',
  'recluse/hidden',
  'recluse/ppv',
]

/** Plans, posts, and files. The first 100 characters of each post are public, and the word SECRET comes after them. */
export async function buildContent(world: World): Promise<void> {
  for (const { name, creator, cents } of plans) {
    world.name(
      `plan ${name}`,
      await world.run(
        `insert into public.subscription_products (creator_id, name, price_cents, interval) values ({${creator}}, '${name}', ${cents}, 'month') returning id`,
      ),
    )
  }
  for (const title of posts) {
    const [creator = '', audience = ''] = title.split('/')
    const type = title === 'rival/solo' ? 'video' : 'image'
    await buildFile(world, creator, 'posts', audience, type === 'video' ? 'video/mp4' : 'image/jpeg')
    const isPlan = audience !== 'free' && audience !== 'ppv'
    world.name(
      title,
      await world.run(
        `insert into public.posts (creator_id, title, content, post_type, media_urls, media_types, required_tier_id, ppv_price)
         values ({${creator}}, '${title}', repeat('open ', 20) || 'SECRET in ${title}', '${isPlan ? 'subscription' : audience}', array[{${creator}.user} || '/${audience}'],
           array['${type}'], ${isPlan ? `{plan ${audience}}` : 'null'}, ${audience === 'ppv' ? '500' : 'null'}) returning id`,
      ),
    )
  }
  await world.run(`update public.posts set admin_note = 'A word' where id = {creator/premium}`)
  await world.run(`update public.posts set admin_note = 'A word', admin_note_is_public = true where id = {rival/free}`)
  await world.run(
    'insert into public.media_settings (profile_id, watermark) values ({rival}, true), ({creator}, false)',
  )
  await world.run('insert into public.monetization_settings (creator_id) values ({creator}), ({applicant})')
  await buildFile(world, 'creator', 'posts', 'draft')
  await buildFile(world, 'creator', 'covers', 'cover')
  await buildFile(world, 'creator', 'posts', 'clip', 'video/mp4')
  await world.run(`update storage.objects set version = 'first' where id = {posts/creator/clip}`) // makes it a video
  world.name('vault/creator/first', await world.run(`select id from public.vault_files where version = 'first'`))
  for (const creator of ['creator', 'rival']) {
    world.name(
      `${creator}/later`,
      await world.run(
        `insert into public.scheduled_posts (creator_id, title, content, publish_at)
         values ({${creator}}, '${creator}/later', 'SECRET of tomorrow', now() + interval '1 day') returning id`,
      ),
    )
  }
  await buildFile(world, 'creator', 'verification', 'free') // has the name of a public post's file
  for (const bucket of ['avatars', 'banners']) await buildFile(world, 'subscriber', bucket, 'picture')
  await buildFile(world, 'admin', 'front-page', 'picture')
  await world.run(
    'insert into public.featured_creators (creator_id, position) values ({rival}, 1), ({recluse}, 2), ({creator}, 3)',
  )
}
