import { readFile } from 'node:fs/promises'
import { onboardingAnswers } from '@ovation/sandbox/visit'
import type { SupabaseClient } from '@supabase/supabase-js'
import { giveAvatar } from './avatar.ts'
import type { DemoCreator, DemoPage, DemoPost } from './content/types.ts'
import { type DemoGateway, type DemoPerson, enter, invoke } from './demo-client.ts'
import { pictureType, readPicture } from './pictures.ts'
import { fillIn, reachable } from './sandbox-pages.ts'
import { sellProducts } from './sell-products.ts'
import { seedStory } from './stories.ts'

type CreatorOrder = {
  readonly gateway: DemoGateway
  readonly service: SupabaseClient
  readonly admin: DemoPerson
  readonly creator: DemoCreator
}

const dayMs = 86_400_000

/** Everything a creator goes through: application, approval, payout account, plans, posts, a profile of their own. Steps that are done are skipped. */
export async function seedCreator({ gateway, service, admin, creator }: CreatorOrder): Promise<DemoPerson> {
  const person = await enter(gateway, service, creator.username, creator.displayName)
  await Promise.all([setUpProfile(person, creator), applyAndApprove(person, admin, creator)])
  if (creator.plans.length > 0) await sellPlans(gateway, person, creator)
  await publish(service, person, creator)
  if (creator.products) await sellProducts(person, creator.products)
  if (creator.page) await layOutProfile(person, creator.page)
  for (const story of creator.stories ?? []) await seedStory(person, story)
  return person
}

async function setUpProfile(person: DemoPerson, { username, bio, website, categories }: DemoCreator) {
  const { client, userId, profileId } = person
  const path = `${userId}/banner.webp`
  const banners = client.storage.from('banners')
  const picture = await readPicture(`${username}-cover`)
  const { error } = await banners.upload(path, picture, { contentType: pictureType, upsert: true })
  if (error) throw error
  const cover_url = new URL(banners.getPublicUrl(path).data.publicUrl).pathname
  await client
    .from('profiles')
    .update({ bio, website_url: website ?? null, categories, cover_url })
    .eq('id', profileId)
    .throwOnError()
  await giveAvatar(person)
}

async function applyAndApprove(person: DemoPerson, admin: DemoPerson, { displayName }: DemoCreator) {
  const application = await apply(person, displayName)
  if (application.status !== 'pending') return
  await admin.client
    .from('creator_applications')
    .update({ status: 'approved', reviewed_at: new Date().toISOString() })
    .eq('id', application.id)
    .throwOnError()
}

/** Applies as a creator, once. In place of an ID there is the user's portrait. */
export async function apply(
  { client, username, userId }: DemoPerson,
  displayName: string,
): Promise<{ id: string; status: string }> {
  const { data: mine } = await client
    .from('creator_applications')
    .select('id, status')
    .eq('user_id', userId)
    .throwOnError()
  if (mine[0]) return mine[0]
  const picture = await readPicture(`face-${username}`)
  const images = await Promise.all(
    ['id_front', 'id_back'].map(async (side) => {
      const path = `${userId}/${side}_demo.webp`
      const { error } = await client.storage.from('verification').upload(path, picture, { contentType: pictureType })
      // Identity documents can't be replaced, so one left by an interrupted start is kept.
      if (error && !/exists/i.test(error.message)) throw error
      return path
    }),
  )
  const { data } = await client
    .from('creator_applications')
    .insert({
      user_id: userId,
      full_name: displayName,
      address: '1 Demo Street, Exampleville',
      full_ssn: '900-00-0001', // numbers that begin with 9 are never assigned
      id_front_url: images[0],
      id_back_url: images[1],
    })
    .select('id, status')
    .single()
    .throwOnError()
  return data
}

async function sellPlans(gateway: DemoGateway, { client, profileId }: DemoPerson, { plans }: DemoCreator) {
  const { data: existing } = await client
    .from('subscription_products')
    .select('name')
    .eq('creator_id', profileId)
    .throwOnError()
  const missing = plans.filter(({ name }) => !existing.some((product) => product.name === name))
  if (missing.length === 0) return
  let status = await invoke<{ charges_enabled: boolean; has_stripe_account: boolean }>(client, 'check-stripe-status')
  if (!status.has_stripe_account) await invoke(client, 'create-stripe-account')
  if (!status.charges_enabled) {
    const link = await invoke<{ url: string }>(client, 'create-onboarding-link', { origin: gateway.services.siteUrl() })
    await fillIn(reachable(gateway, link.url), onboardingAnswers)
    status = await invoke(client, 'check-stripe-status')
  }
  for (const { name, description, priceCents, interval, trialDays } of missing) {
    await invoke(client, 'create-subscription-product', {
      name,
      description,
      price_cents: priceCents,
      interval,
      ...(trialDays && { trial_days: trialDays }),
    })
  }
}

async function publish(service: SupabaseClient, { client, userId, profileId }: DemoPerson, { posts }: DemoCreator) {
  const { data: published } = await service.from('posts').select('content').eq('creator_id', profileId).throwOnError()
  const { data: plans } = await client
    .from('subscription_products')
    .select('id, name')
    .eq('creator_id', profileId)
    .throwOnError()
  for (const post of posts) {
    if (published.some(({ content }) => content === post.content)) continue
    const { audience = 'free' } = post
    const plan = plans.find(({ name }) => name === audience)
    const media = await uploadMedia(client, userId, post)
    await service
      .from('posts')
      .insert({
        creator_id: profileId,
        title: post.title ?? null,
        content: post.content,
        post_type: plan ? 'subscription' : typeof audience === 'number' ? 'ppv' : 'free',
        required_tier_id: plan?.id ?? null,
        ppv_price: typeof audience === 'number' ? audience : null,
        media_urls: media.map(({ path }) => path),
        media_types: media.map(({ type }) => type),
        // Only the server may set a post's date.
        created_at: new Date(Date.now() - post.day * dayMs).toISOString(),
      })
      .throwOnError()
  }
  const pinned = posts.filter((post) => post.pinned).map(({ content }) => content)
  if (pinned.length > 0) {
    await client
      .from('posts')
      .update({ is_pinned: true })
      .eq('creator_id', profileId)
      .in('content', pinned)
      .throwOnError()
  }
}

/** After the posts, one of which it features. */
async function layOutProfile({ client, profileId }: DemoPerson, { accentColor, welcome, links, featured }: DemoPage) {
  const { data: post } = await client
    .from('posts')
    .select('id')
    .eq('creator_id', profileId)
    .eq('title', featured)
    .single()
    .throwOnError()
  await client
    .from('profile_layouts')
    .upsert({
      creator_id: profileId,
      accent_color: accentColor,
      welcome_text: welcome,
      featured_post_id: post.id,
      shows_subscriber_count: true,
      shows_post_count: true,
    })
    .throwOnError()
  await client.rpc('set_profile_links', { links }).throwOnError()
}

function uploadMedia(client: SupabaseClient, userId: string, { pictures = [], video }: DemoPost) {
  const files = pictures.map((name) => ({
    path: `${userId}/${name}.webp`,
    type: 'image' as const,
    contentType: pictureType,
    read: () => readPicture(name),
  }))
  const film = {
    path: `${userId}/hills.mp4`,
    type: 'video' as const,
    contentType: 'video/mp4',
    read: () => readFile(new URL('video/hills.mp4', import.meta.url)),
  }
  return Promise.all(
    [...files, ...(video ? [film] : [])].map(async ({ path, type, contentType, read }) => {
      const { error } = await client.storage.from('posts').upload(path, await read(), { contentType, upsert: true })
      if (error) throw error
      return { path, type }
    }),
  )
}
