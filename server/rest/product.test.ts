import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'

let gateway: TestGateway
let creator: Person
let fan: Person
let postId: string

beforeAll(async () => {
  gateway = await startGateway()
  creator = await gateway.signUp()
  fan = await gateway.signUp()
  await gateway.query('update private.profiles set is_verified = true, is_creator = true where id = $1', [
    creator.profileId,
  ])
  const { data, error } = await creator.client
    .from('posts')
    .insert({
      creator_id: creator.profileId,
      title: 'First',
      content: 'Hello',
      post_type: 'free',
      media_urls: [],
      media_types: [],
    })
    .select('id')
    .single()
  if (error) throw error
  postId = data.id
})
afterAll(() => gateway.close())

describe("the product's tables", () => {
  it('reads a profile by each of its keys [API-REST-01]', async () => {
    const { id, user_id, username } = (
      await gateway.anon.from('profiles').select().eq('id', creator.profileId).single()
    ).data
    expect({ id, user_id, username }).toEqual({
      id: creator.profileId,
      user_id: creator.userId,
      username: creator.username,
    })
    expect((await gateway.anon.from('profiles').select('id').eq('username', username).single()).data).toEqual({ id })
  })

  it('embeds the author of a post, although both are views [API-REST-23]', async () => {
    const { data, error } = await fan.client
      .from('posts')
      .select('id,title,creator:profiles(username,avatar_url)')
      .in('creator_id', [creator.profileId])
      .order('created_at', { ascending: false })
    expect(error).toBeNull()
    expect(data).toEqual([{ id: postId, title: 'First', creator: { username: creator.username, avatar_url: null } }])
    const named = await fan.client.from('posts').select('id,profiles!posts_creator_id_fkey(username)').single()
    expect(named.data).toEqual({ id: postId, profiles: { username: creator.username } })
  })

  it('embeds the other way as well: the posts of a profile', async () => {
    const { data } = await gateway.anon
      .from('profiles')
      .select('username,posts(title)')
      .eq('id', creator.profileId)
      .single()
    expect(data).toEqual({ username: creator.username, posts: [{ title: 'First' }] })
  })

  it('follows, counts and unfollows [API-REST-22]', async () => {
    const follow = { follower_id: fan.profileId, following_id: creator.profileId }
    expect((await fan.client.from('follows').insert(follow)).error).toBeNull()
    const again = await fan.client.from('follows').insert(follow)
    expect(again).toMatchObject({ status: 409, error: { code: '23505' } })
    const { data } = await fan.client
      .from('follows')
      .select('following:profiles!follows_following_id_fkey(username,followers_count)')
      .eq('follower_id', fan.profileId)
      .single()
    expect(data).toEqual({ following: { username: creator.username, followers_count: 1 } })
    const { count } = await fan.client.from('follows').delete({ count: 'exact' }).match(follow)
    expect(count).toBe(1)
  })

  it('changes own profiles only [API-REST-03, API-REST-42]', async () => {
    const own = await fan.client.from('profiles').update({ bio: 'hi' }).eq('id', fan.profileId).select('bio').single()
    expect(own.data).toEqual({ bio: 'hi' })
    const other = await fan.client.from('profiles').update({ bio: 'hacked' }).eq('id', creator.profileId).select('bio')
    expect(other.data ?? []).toEqual([])
    expect(await gateway.query('select bio from public.profiles where id = $1', [creator.profileId])).toEqual([
      { bio: null },
    ])
  })

  it('embeds into the rows of a function: the home feed with its authors [API-REST-23]', async () => {
    await fan.client.from('follows').insert({ follower_id: fan.profileId, following_id: creator.profileId })
    const { data, error } = await fan.client
      .rpc('get_feed', { page_size: 20 }, { get: true })
      .select('id, is_locked, media_urls, creator:profiles!creator_id(username)')
    expect(error).toBeNull()
    expect(data).toEqual([{ id: postId, is_locked: false, media_urls: [], creator: { username: creator.username } }])
  })

  it('names the people of subscriptions and payments, and shows a stranger none [API-REST-21, API-REST-28]', async () => {
    const subscriptions = await creator.client
      .from('subscriptions')
      .select('id, status, subscriber:profiles!subscriber_id(username), tier:subscription_products!tier_id(name)')
      .eq('creator_id', creator.profileId)
      .order('created_at', { ascending: false })
      .limit(5)
    expect(subscriptions).toMatchObject({ error: null, data: [] })
    const payments = await creator.client
      .from('transactions')
      .select('id, amount, from:profiles!from_user_id(username)')
      .eq('to_user_id', creator.profileId)
      .limit(3)
    expect(payments).toMatchObject({ error: null, data: [] })
  })

  it('counts and pages applications [API-REST-29]', async () => {
    const { count, error } = await gateway.service
      .from('creator_applications')
      .select('id, user_id, status', { count: 'exact' })
      .in('status', ['pending'])
      .order('submitted_at', { ascending: false })
      .range(0, 24)
    expect(error).toBeNull()
    expect(count).toBe(0)
  })

  it('does not show what is private: no schema but public, no tables behind the views', async () => {
    const profile = await fetch(`${gateway.url}/rest/v1/profiles`, { headers: { 'Accept-Profile': 'private' } })
    expect(profile.status).toBe(406)
    const { status } = await gateway.service.from('users').select()
    expect(status).toBe(404)
  })
})
