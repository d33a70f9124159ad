import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

/** DATA-33; amounts in cents. */
export type ReferralStats = {
  total_referrals: number
  completed_referrals: number
  pending_referrals: number
  total_earned: number
  pending_rewards: number
}

/** DATA-29 */
export type Referral = {
  id: string
  referral_code: string
  status: 'pending' | 'completed' | 'paid'
  reward_amount: number
  commission_amount: number
  created_at: string
}

export type ReferralData = {
  stats: ReferralStats
  history: Referral[]
  referrer: { username: string; display_name: string | null } | null
}

/** Everything on the screen in one query, so that it loads or fails as a whole (REF-13, RPC-03, API-REST-41, D31). */
export const referralsQuery = (profileId: string) =>
  queryOptions({
    queryKey: ['referrals', profileId],
    queryFn: async ({ signal }): Promise<ReferralData> => {
      const [stats, history, referrer] = await Promise.all([
        supabase
          .rpc('get_referral_stats', { user_profile_id: profileId })
          .abortSignal(signal)
          .throwOnError()
          .overrideTypes<ReferralStats>(),
        supabase
          .from('referrals')
          .select('id, referral_code, status, reward_amount, commission_amount, created_at')
          .eq('referrer_id', profileId)
          .order('created_at', { ascending: false })
          .abortSignal(signal)
          .throwOnError(),
        supabase.rpc('get_my_referrer').abortSignal(signal).throwOnError(),
      ])
      return {
        stats: stats.data,
        history: history.data,
        referrer: referrer.data[0] ?? null,
      }
    },
  })
