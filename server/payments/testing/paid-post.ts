import type { Person } from '../../testing/gateway.ts'

/** Publishes a post for $5.00 as the app does. The secret comes after the preview. @returns posts.id */
export async function buildPaidPost(creator: Person, overrides: Record<string, unknown> = {}): Promise<string> {
  const { data, error } = await creator.client
    .from('posts')
    .insert({
      creator_id: creator.profileId,
      title: 'A paid post',
      content: `${'What everybody may read. '.repeat(5)}And the secret.`,
      post_type: 'ppv',
      ppv_price: 500,
      ...overrides,
    })
    .select('id')
    .single()
  if (error) throw error
  return data.id
}
