import { queryOptions } from '@tanstack/react-query'
import type { Rule } from '../../domain/fans/audience-rule.ts'
import type { SavedFile } from '../../domain/messages/saved-replies.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { fresh } from './query-parts.ts'

/** What starts a flow, as in `private.flow_parts` (AUTO-01). */
export type Trigger =
  | {
      trigger:
        | 'follow'
        | 'subscribed'
        | 'trial'
        | 'renewed'
        | 'payment_failed'
        | 'renewal_off'
        | 'subscription_ended'
        | 'first_purchase'
    }
  | { trigger: 'payment'; cents: number }
  | { trigger: 'inactive'; days: number }
  | { trigger: 'list'; list: string }
  | { trigger: 'link' /** Its id, or `any`. */; link: string }

/** A step of a flow, as in `private.flow_parts` (AUTO-02). */
export type Step =
  | { kind: 'wait'; minutes: number }
  | { kind: 'condition'; rule: Rule }
  | {
      kind: 'send'
      content: string
      price_cents: number | null
      file_ids: string[]
      /** The position in `file_ids` of the file that is shown before the purchase. */
      preview_index: number | null
    }
  | { kind: 'add_to_list' | 'remove_from_list'; list: string }
  | { kind: 'promotion_code'; percent_off: number; valid_days: number }
  | { kind: 'end' }
export type StepKind = Step['kind']

/** How many fans (AUTO-05), and what they paid, in cents. */
export type Figures = { entered: number; waiting: number; sent: number; bought: number; earned_cents: number }
export type SavedStep = Step & {
  id: string /** Of `file_ids`: those that are still in the vault. */
  files: SavedFile[]
} & Figures

export type Flow = {
  id: string
  name: string
  trigger: Trigger
  status: 'draft' | 'active' | 'paused'
  quiet_from: string | null
  quiet_until: string | null
  created_at: string
  steps: SavedStep[]
}

/** The viewer's flows, newest first. */
export const flowsQuery = (viewerId: string) =>
  queryOptions({
    queryKey: ['flows', viewerId],
    ...fresh,
    queryFn: async ({ signal }): Promise<Flow[]> => {
      const { data } = await supabase
        .rpc('get_flows', undefined, { get: true })
        .select('id, name, trigger, status, quiet_from, quiet_until, created_at, steps')
        .abortSignal(signal)
        .throwOnError()
      return data as unknown as Flow[]
    },
  })

/** The numbers of a whole flow: those who entered its first step, and the sum of the rest. */
export const totalOf = ({ steps }: Flow): Figures => {
  const sum = (figure: keyof Figures) => steps.reduce((total, step) => total + step[figure], 0)
  return {
    entered: Math.max(0, ...steps.map(({ entered }) => entered)),
    waiting: sum('waiting'),
    sent: sum('sent'),
    bought: sum('bought'),
    earned_cents: sum('earned_cents'),
  }
}
