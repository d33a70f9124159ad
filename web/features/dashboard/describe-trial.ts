import { trackingLinkTexts as texts } from '@ovation/contract/texts/tracking-links'
import type { TrackingLink } from '../../domain/tracking-links/queries.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCount } from '../../lib/format/format-number.ts'

/** `"3 of 50 trials started, until Aug 1, 2026"` */
export function describeTrial({ trials_used, trial_limit, trial_until }: TrackingLink): string {
  const until = trial_until ?? ''
  const day = formatDate(until)
  return [
    texts.trialUsed(formatCount(trials_used ?? 0), formatCount(trial_limit ?? 0)),
    Date.parse(until) > Date.now() ? texts.trialUntil(day) : texts.trialOver(day),
  ].join(', ')
}
