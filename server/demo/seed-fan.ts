import { setTimeout as sleep } from 'node:timers/promises'
import { payingCard } from '@ovation/sandbox/visit'
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Gateway } from '../gateway.ts'
import { giveAvatar } from './avatar.ts'
import type { demoFans } from './content/fans.ts'
import { type DemoPerson, enter, invoke } from './demo-client.ts'
import { fillIn, reachable } from './sandbox-pages.ts'

type FanOrder = {
  readonly gateway: Gateway
  readonly service: SupabaseClient
  readonly fan: (typeof demoFans)[number]
}

const fulfilmentTimeoutMs = 10_000

/** A fan follows creators, subscribes, which follows too, and buys a product, on the sandbox's checkout page with a test card. */
export async function seedFan({ gateway, service, fan }: FanOrder): Promise<DemoPerson> {
  const person = await enter(gateway, service, fan.username, fan.displayName)
  await giveAvatar(person)
  const creators = await findCreators(person, [...fan.follows, ...fan.subscribes])
  const follows = fan.follows.map((username) => ({
    follower_id: person.profileId,
    following_id: creators.get(username),
  }))
  const { data: existing } = await person.client
    .from('follows')
    .select('following_id')
    .eq('follower_id', person.profileId)
    .throwOnError()
  const missing = follows.filter(({ following_id }) => !existing.some((follow) => follow.following_id === following_id))
  if (missing.length > 0) await person.client.from('follows').insert(missing).throwOnError()
  for (const username of fan.subscribes) await subscribe(gateway, person, creators.get(username) ?? '', fan.displayName)
  if ('buys' in fan) await buy(gateway, person, fan.buys, fan.displayName)
  return person
}

async function findCreators({ client }: DemoPerson, usernames: readonly string[]): Promise<Map<string, string>> {
  const { data } = await client.from('profiles').select('id, username').in('username', usernames).throwOnError()
  return new Map(data.map(({ id, username }) => [username, id]))
}

async function subscribe(gateway: Gateway, { client, profileId, email }: DemoPerson, creatorId: string, name: string) {
  const isActive = async () => {
    const { data } = await client
      .from('subscriptions')
      .select('id')
      .eq('subscriber_id', profileId)
      .eq('creator_id', creatorId)
      .in('status', ['active', 'trial'])
      .throwOnError()
    return data.length > 0
  }
  if (await isActive()) return
  const { data: product } = await client
    .from('subscription_products')
    .select('id')
    .eq('creator_id', creatorId)
    .eq('is_active', true)
    .order('price_cents')
    .limit(1)
    .single()
    .throwOnError()
  const { url } = await invoke<{ url: string }>(client, 'create-subscription-checkout', { productId: product.id })
  await fillIn(reachable(gateway, url), { ...payingCard, email, name })
  await fulfilled(isActive, 'subscription')
}

async function buy(gateway: Gateway, { client, email }: DemoPerson, title: string, name: string) {
  const { data: product } = await client.from('products').select('id').eq('title', title).single().throwOnError()
  const isBought = async () => {
    const { data } = await client.from('product_purchases').select('id').eq('product_id', product.id).throwOnError()
    return data.length > 0
  }
  if (await isBought()) return
  // A saved card would pay without the page.
  const order = { kind: 'product', targetId: product.id, savedCard: 'skip' }
  const { url } = await invoke<{ url: string }>(client, 'create-payment-checkout', order)
  await fillIn(reachable(gateway, url), { ...payingCard, email, name })
  await fulfilled(isBought, 'product')
}

/** Access follows the payment's webhook, not the page. */
async function fulfilled(isThere: () => Promise<boolean>, what: string) {
  for (const deadline = Date.now() + fulfilmentTimeoutMs; Date.now() < deadline; await sleep(50))
    if (await isThere()) return
  throw new Error(`The demo's ${what} was paid but not given.`)
}
