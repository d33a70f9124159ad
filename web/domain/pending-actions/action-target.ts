import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import type { PendingAction } from '../../lib/auth/pending-action.ts'
import { type CreatorIntro, creatorIntroQuery, introColumns } from '../creators/creator-intro-query.ts'
import type { Post } from '../posts/queries.ts'
import type { Plan } from '../subscriptions/plan-queries.ts'

/** What a pending action is about. */
export type ActionTarget = {
  creator: CreatorIntro
  plan?: Pick<Plan, 'id' | 'name' | 'description' | 'price_cents' | 'interval' | 'trial_days' | 'benefits'>
  post?: Pick<
    Post,
    'id' | 'title' | 'post_type' | 'ppv_price' | 'is_locked' | 'media_types' | 'media_previews' | 'cover_path'
  >
}

/** Always read from the server, never from the URL. `null` if it doesn't exist anymore, or not for the viewer. */
export const actionTargetQuery = (action: PendingAction) =>
  queryOptions({
    queryKey: ['action-target', action.kind, action.id],
    queryFn: ({ signal, client }): Promise<ActionTarget | null> => {
      switch (action.kind) {
        case 'subscribe':
          return readPlan(action.id, signal)
        case 'follow':
        case 'message':
        case 'tip':
        case 'report':
          return client.fetchQuery(creatorIntroQuery(action.id)).then((creator) => creator && { creator })
        default:
          return readPost(action.id, signal)
      }
    },
  })

async function readPlan(id: string, signal: AbortSignal): Promise<ActionTarget | null> {
  const { data } = await supabase
    .from('subscription_products')
    .select(
      `id, name, description, price_cents, interval, trial_days, benefits, creator:profiles!creator_id!inner(${introColumns})`,
    )
    .eq('id', id)
    .eq('is_active', true)
    .abortSignal(signal)
    .maybeSingle()
    .throwOnError()
  if (!data) return null
  const { creator, ...plan } = data
  return { creator, plan }
}

async function readPost(id: string, signal: AbortSignal): Promise<ActionTarget | null> {
  const { data } = await supabase
    .from('posts')
    .select(
      `id, title, post_type, ppv_price, is_locked, media_types, media_previews, cover_path, creator:profiles!creator_id!inner(${introColumns})`,
    )
    .eq('id', id)
    .abortSignal(signal)
    .maybeSingle()
    .throwOnError()
    .overrideTypes<Pick<Post, 'media_previews'>>()
  if (!data) return null
  const { creator, ...post } = data
  return { creator, post }
}
