import { readFile } from 'node:fs/promises'
import { onboardingAnswers } from '@ovation/sandbox/visit'
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Gateway } from '../gateway.ts'
import { giveAvatar } from './avatar.ts'
import { type DemoPerson, enter, invoke } from './demo-client.ts'
import type { DemoCreator, DemoPost } from './people.ts'
import { drawPicture } from './pictures/draw.ts'
import { fillIn, reachable } from './sandbox-pages.ts'

type CreatorOrder = {
  readonly gateway: Gateway
  readonly service: SupabaseClient
  readonly admin: DemoPerson
  readonly creator: DemoCreator
}

const hour = 3_600_000

/** Everything a creator goes through: application, approval, payout account, plans, posts. Steps that are done are skipped. */
export async function seedCreator({ gateway, service, admin, creator }: CreatorOrder): Promise<DemoPerson> {
  const person = await enter(gateway, service, creator.username, creator.displayName)
  await Promise.all([setUpProfile(person, creator), applyAndApprove(person, admin, creator)])
  if (creator.plans.length > 0) await sellPlans(gateway, person, creator)
  await publish(service, person, creator)
  return person
}

async function setUpProfile(
  person: DemoPerson,
  { palette, portraitSeed, banner, bio, website, categories }: DemoCreator,
) {
  const { client, userId, profileId } = person
  const path = `${userId}/banner.jpg`
  const picture = await drawPicture({ ...banner, width: 1600, height: 500 })
  const banners = client.storage.from('banners')
  const { error } = await banners.upload(path, picture, { contentType: 'image/jpeg', upsert: true })
  if (error) throw error
  const cover_url = new URL(banners.getPublicUrl(path).data.publicUrl).pathname
  await client
    .from('profiles')
    .update({ bio, website_url: website ?? null, categories, cover_url })
    .eq('id', profileId)
    .throwOnError()
  await giveAvatar(person, palette, portraitSeed)
}

async function applyAndApprove(
  { client, userId }: DemoPerson,
  admin: DemoPerson,
  { displayName, palette, portraitSeed }: DemoCreator,
) {
  const { data: mine } = await client
    .from('creator_applications')
    .select('id, status')
    .eq('user_id', userId)
    .throwOnError()
  let application = mine[0]
  if (!application) {
    const images = await Promise.all(
      (['id_front', 'id_back'] as const).map(async (side, index) => {
        const path = `${userId}/${side}_demo.jpg`
        const picture = await drawPicture({
          scene: 'arches',
          palette,
          seed: portraitSeed + index,
          width: 856,
          height: 540,
        })
        const { error } = await client.storage.from('verification').upload(path, picture, { contentType: 'image/jpeg' })
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
    application = data
  }
  if (application.status !== 'pending') return
  await admin.client
    .from('creator_applications')
    .update({ status: 'approved', reviewed_at: new Date().toISOString() })
    .eq('id', application.id)
    .throwOnError()
}

async function sellPlans(gateway: Gateway, { client, profileId }: DemoPerson, { plans }: DemoCreator) {
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
  const { data: products } = await client
    .from('subscription_products')
    .select('id')
    .eq('creator_id', profileId)
    .order('price_cents')
    .throwOnError()
  // In parallel: drawing is the slow part, and it keeps both cores busy.
  await Promise.all(
    posts.map(async (post, index) => {
      if (published.some(({ content }) => content === post.content)) return
      const media = await uploadMedia(client, userId, post, index)
      await service
        .from('posts')
        .insert({
          creator_id: profileId,
          title: post.title ?? null,
          content: post.content,
          post_type: post.audience,
          required_tier_id: post.audience === 'subscription' ? products[0]?.id : null,
          media_urls: media.map(({ path }) => path),
          media_types: media.map(({ type }) => type),
          // Spread over the last days, newest first in the list. Only the server may set a post's date.
          created_at: new Date(Date.now() - (index * 26 + posts.length * 3 + 1) * hour).toISOString(),
        })
        .throwOnError()
    }),
  )
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

async function uploadMedia(client: SupabaseClient, userId: string, { pictures, video }: DemoPost, post: number) {
  const files = pictures.map((picture, index) => ({
    path: `${userId}/demo-${post}-${index}.jpg`,
    type: 'image' as const,
    contentType: 'image/jpeg',
    read: () => drawPicture({ ...picture, width: 1080, height: 1350 }),
  }))
  const film = {
    path: `${userId}/demo-${post}.mp4`,
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
