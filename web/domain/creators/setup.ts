import { queryOptions, useQuery } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { browserStore } from '../../lib/browser/browser-store.ts'
import { latestApplicationQuery } from '../verification/latest-application-query.ts'

/** The steps of the checklist, in order (LOOP-07). */
export const setupSteps = ['verify', 'payouts', 'plan', 'pictures', 'post', 'share'] as const
export type SetupStep = (typeof setupSteps)[number]

/** Remembers that the creator shared the page from this device. A first follower counts as well, on every device. */
export const sharedPages = browserStore(() => localStorage, 'ovation:shared:')

export const setupQuery = (profileId: string) =>
  queryOptions({
    // Each step happens on another screen.
    staleTime: 0,
    // With the rest of the dashboard, which a new post refreshes.
    queryKey: ['dashboard', profileId, 'setup'],
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .from('profiles')
        .select(
          'avatar_url, cover_url, total_posts, followers_count, stripe_charges_enabled, stripe_payouts_enabled, plans:subscription_products(id)',
        )
        .eq('id', profileId)
        .limit(1, { referencedTable: 'plans' })
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data
    },
  })

export type Setup = {
  done: Readonly<Record<SetupStep, boolean>>
  /** The application was sent, and nobody has decided yet. */
  isWaiting: boolean
}

/** Which steps are done; undefined while it loads, and null if it can't be loaded: the screens work without it. */
export function useSetup(viewer: Viewer): Setup | null | undefined {
  const { data, isPending } = useQuery(setupQuery(viewer.profileId))
  const application = useQuery({ ...latestApplicationQuery(viewer.userId), enabled: !viewer.mayPublish })
  if (isPending || application.isLoading) return undefined
  if (!data) return null
  return {
    isWaiting: application.data?.status === 'pending',
    done: {
      verify: viewer.mayPublish,
      payouts: Boolean(data.stripe_charges_enabled && data.stripe_payouts_enabled),
      plan: Boolean(data.plans?.length),
      pictures: Boolean(data.avatar_url && data.cover_url),
      post: data.total_posts > 0,
      share: data.followers_count > 0 || sharedPages.read(viewer.profileId) !== null,
    },
  }
}

/** What is still to do, and what to do first: while an admin reviews the application, the creator can go on with the rest. */
export function stepsLeft(done: Partial<Setup['done']>, isWaiting: boolean) {
  const left = setupSteps.filter((step) => !done[step])
  return { left, next: left.find((step) => !(step === 'verify' && isWaiting)) ?? left[0] }
}
