import { pollDefaultDays, pollOptionsMin, ppvMinPriceCents, priceMaxCents } from '@ovation/contract/limits'
import { broadcastTexts } from '@ovation/contract/texts/broadcast'
import { composerTexts } from '@ovation/contract/texts/posts'
import { centsOf } from '../../lib/format/cents-of.ts'
import { fromLocalInput, timeProblem } from '../../lib/format/local-time.ts'
import { type CommentersChoice, commentersOf, usualChoice } from '../comment-rules/commenters.ts'

/** `free`, `ppv`, or the id of one of the creator's plans. */
export type Audience = string

/** The values as typed: strings, so that a draft restores them exactly. */
export type ComposerValues = {
  title: string
  content: string
  audience: Audience
  /** Who may comment: see `CommentersChoice`. */
  commenters: CommentersChoice
  /** In dollars. */
  price: string
  scheduled: boolean
  /** In the creator's time zone (`local-time.ts`). */
  publishAt: string
  asks: boolean
  question: string
  options: string[]
  days: string
}

export const blankPost: ComposerValues = {
  title: '',
  content: '',
  audience: 'free',
  commenters: usualChoice,
  price: '',
  scheduled: false,
  publishAt: '',
  asks: false,
  question: '',
  options: ['', ''],
  days: String(pollDefaultDays),
}

const filled = (options: readonly string[]) => options.map((option) => option.trim()).filter((option) => option !== '')

/** POST-21, D26, ADM-30..ADM-33. @param filesChosen the current number of files. */
export const rulesOf = (filesChosen: () => number) => ({
  content: (value: string) => (value.trim() || filesChosen() > 0 ? null : composerTexts.errors.empty),
  price: (value: string, { audience }: ComposerValues) =>
    audience !== 'ppv' || isPrice(value) ? null : composerTexts.errors.price,
  publishAt: (value: string, { scheduled }: ComposerValues) => (scheduled ? timeProblem(value) : null),
  question: (value: string, { asks }: ComposerValues) =>
    asks && !value.trim() ? broadcastTexts.pollTitleMissing : null,
  options: (value: string[], { asks }: ComposerValues) => {
    if (!asks) return null
    const options = filled(value)
    if (options.length < pollOptionsMin) return broadcastTexts.optionsMissing
    return new Set(options).size < options.length ? broadcastTexts.optionsTwice : null
  },
})

function isPrice(typed: string): boolean {
  const cents = Number(typed) * 100
  return typed !== '' && cents >= ppvMinPriceCents && cents <= priceMaxCents
}

type AudienceColumns = { post_type: 'free' | 'ppv' | 'subscription'; ppv_price?: number; required_tier_id?: string }

export function audienceColumns({ audience, price }: ComposerValues): AudienceColumns {
  if (audience === 'free') return { post_type: 'free' }
  if (audience === 'ppv') return { post_type: 'ppv', ppv_price: centsOf(price) }
  return { post_type: 'subscription', required_tier_id: audience }
}

/** The columns of a scheduled post, a post with a poll, or one with its own rule for comments; `null` for any other. */
export function schedulingColumns(values: ComposerValues) {
  const { scheduled, publishAt, asks, question, options, days } = values
  const rule = commentersOf(values.commenters)
  if (!scheduled && !asks && !rule) return null
  return {
    ...(rule && { commenters: rule.commenters, commenters_plan_id: rule.planId }),
    ...(scheduled && { publish_at: fromLocalInput(publishAt)?.toISOString() ?? publishAt }),
    ...(asks && { poll: { title: question.trim(), options: filled(options), days: Number(days) } }),
  }
}

export const isBlank = ({ title, content, question, options }: ComposerValues): boolean =>
  [title, content, question, ...options].every((text) => text.trim() === '')
