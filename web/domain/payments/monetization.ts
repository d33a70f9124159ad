import { tipMinCents, tipPresetsCents } from '@ovation/contract/limits'
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

/** US cents; if null, the creator enters a price each time. */
export type Monetization = {
  ppv_price_cents: number | null
  message_price_cents: number | null
  takes_tips: boolean
  tip_min_cents: number
  tip_presets_cents: number[]
}

/** The defaults for a creator who has chosen nothing (D28). */
export const undecided: Monetization = {
  ppv_price_cents: null,
  message_price_cents: null,
  takes_tips: true,
  tip_min_cents: tipMinCents,
  tip_presets_cents: [...tipPresetsCents],
}

/** A creator's default prices and tip settings. The server enforces those for tips (`private.quote_tip`). */
export const monetizationQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['monetization', creatorId],
    queryFn: async ({ signal }): Promise<Monetization> => {
      const { data } = await supabase
        .from('monetization_settings')
        .select('ppv_price_cents, message_price_cents, takes_tips, tip_min_cents, tip_presets_cents')
        .eq('creator_id', creatorId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data ?? undecided
    },
  })
