import {
  flowDaysMax,
  flowMinutesMax,
  messageMaxLength,
  paidMessageMinPriceCents,
  priceMaxCents,
} from '@ovation/contract/limits'
import { flowTexts } from '@ovation/contract/texts/flows'
import { type DraftGroup, draftOf, newGroup, ruleOf } from '../../domain/fans/audience-rule.ts'
import type { SavedFile } from '../../domain/messages/saved-replies.ts'
import { centsOf } from '../../lib/format/cents-of.ts'
import type { Flow, SavedStep, Step, StepKind, Trigger } from './flow-queries.ts'

const texts = flowTexts.form.errors

/** Fields that are typed: a number field is an empty string until something is typed. */
type Typed = number | string
export const unitMinutes = { minutes: 1, hours: 60, days: 1440 } as const
export type Unit = keyof typeof unitMinutes

/** A step that is being written. */
export type DraftStep = { id: string } & (
  | { kind: 'wait'; amount: Typed; unit: Unit }
  | { kind: 'condition'; rule: DraftGroup }
  | { kind: 'send'; content: string; price: Typed; files: SavedFile[] /** The id of its file. */; preview: string }
  | { kind: 'add_to_list' | 'remove_from_list'; list: string }
  | { kind: 'promotion_code'; percent: Typed; days: Typed }
  | { kind: 'end' }
)

/** The form of a flow. `cents`, `days`, `list`, and `link` belong to the triggers that have them. */
export type FlowValues = {
  name: string
  trigger: Trigger['trigger']
  dollars: Typed
  days: Typed
  list: string
  link: string
  quietFrom: string
  quietUntil: string
  steps: DraftStep[]
}

export function newStep(kind: StepKind): DraftStep {
  const id = crypto.randomUUID()
  if (kind === 'wait') return { id, kind, amount: 1, unit: 'days' }
  if (kind === 'condition') return { id, kind, rule: newGroup() }
  if (kind === 'send') return { id, kind, content: '', price: '', files: [], preview: '' }
  if (kind === 'promotion_code') return { id, kind, percent: 20, days: 14 }
  if (kind === 'end') return { id, kind }
  return { id, kind, list: '' }
}

const whole = (value: Typed, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most

/** The trigger, or null while a field is empty or wrong. */
export function triggerOf({ trigger, dollars, days, list, link }: FlowValues): Trigger | null {
  if (trigger === 'payment') {
    const cents = dollars === '' ? 0 : centsOf(dollars)
    return whole(cents, 1, 100_000_000) ? { trigger, cents } : null
  }
  if (trigger === 'inactive') return whole(days, 1, flowDaysMax) ? { trigger, days: Number(days) } : null
  if (trigger === 'list') return list ? { trigger, list } : null
  if (trigger === 'link') return { trigger, link }
  return { trigger }
}

const minutesOf = (amount: Typed, unit: Unit): number => Number(amount) * unitMinutes[unit]

/** @returns why the step can't be saved like this. */
export function problemOf(step: DraftStep, before: readonly DraftStep[]): string | null {
  if (step.kind === 'wait')
    return whole(step.amount, 1, flowMinutesMax) && minutesOf(step.amount, step.unit) <= flowMinutesMax
      ? null
      : texts.wait
  if (step.kind === 'condition') return ruleOf(step.rule) ? null : texts.rule
  if (step.kind === 'promotion_code')
    return whole(step.percent, 1, 100) && whole(step.days, 1, flowDaysMax) ? null : texts.promotion
  if (step.kind === 'end') return null
  if (step.kind !== 'send') return step.list ? null : texts.list
  if ((step.content.trim() === '' && step.files.length === 0) || step.content.length > messageMaxLength)
    return texts.message
  const cents = step.price === '' ? paidMessageMinPriceCents : centsOf(step.price)
  if (cents < paidMessageMinPriceCents || cents > priceMaxCents) return texts.price
  return step.content.includes('{code}') && !before.some(({ kind }) => kind === 'promotion_code') ? texts.code : null
}

/** The first problem of all steps, with the place of its step. */
export function problemOfSteps(steps: readonly DraftStep[]): string | null {
  if (steps.length === 0) return texts.none
  for (const [index, step] of steps.entries()) {
    const problem = problemOf(step, steps.slice(0, index))
    if (problem) return texts.step(index + 1, problem)
  }
  return null
}

/** A valid step as it is saved. */
export function stepOf(step: DraftStep): Step & { id: string } {
  if (step.kind === 'wait') return { id: step.id, kind: 'wait', minutes: minutesOf(step.amount, step.unit) }
  if (step.kind === 'condition') {
    const rule = ruleOf(step.rule)
    if (!rule) throw new Error('the rule is incomplete')
    return { id: step.id, kind: 'condition', rule }
  }
  if (step.kind === 'promotion_code')
    return { id: step.id, kind: step.kind, percent_off: Number(step.percent), valid_days: Number(step.days) }
  if (step.kind !== 'send') return step
  const { id, kind, content, price, files, preview } = step
  const place = files.findIndex((file) => file.id === preview)
  return {
    id,
    kind,
    content: content.trim(),
    price_cents: price === '' ? null : centsOf(price),
    file_ids: files.map((file) => file.id),
    preview_index: price === '' || place < 0 ? null : place,
  }
}

function draftStepOf(step: SavedStep): DraftStep {
  const { id } = step
  if (step.kind === 'wait') {
    const unit = (['days', 'hours', 'minutes'] as const).find((one) => step.minutes % unitMinutes[one] === 0)
    return { id, kind: 'wait', amount: step.minutes / unitMinutes[unit ?? 'minutes'], unit: unit ?? 'minutes' }
  }
  if (step.kind === 'condition') return { id, kind: 'condition', rule: draftOf(step.rule) }
  if (step.kind === 'promotion_code') return { id, kind: step.kind, percent: step.percent_off, days: step.valid_days }
  if (step.kind === 'end') return { id, kind: 'end' }
  if (step.kind !== 'send') return { id, kind: step.kind, list: step.list }
  return {
    id,
    kind: 'send',
    content: step.content,
    price: step.price_cents === null ? '' : step.price_cents / 100,
    files: step.files,
    preview: step.preview_index === null ? '' : (step.file_ids[step.preview_index] ?? ''),
  }
}

const nothing = { dollars: '', days: 30, list: '', link: 'any', quietFrom: '', quietUntil: '' }

export const valuesOf = ({ name, trigger, quiet_from, quiet_until, steps }: Flow): FlowValues => ({
  ...nothing,
  name,
  trigger: trigger.trigger,
  ...(trigger.trigger === 'payment' && { dollars: trigger.cents / 100 }),
  ...(trigger.trigger === 'inactive' && { days: trigger.days }),
  ...(trigger.trigger === 'list' && { list: trigger.list }),
  ...(trigger.trigger === 'link' && { link: trigger.link }),
  // PostgreSQL adds the seconds.
  quietFrom: quiet_from?.slice(0, 5) ?? '',
  quietUntil: quiet_until?.slice(0, 5) ?? '',
  steps: steps.map(draftStepOf),
})

const { templates } = flowTexts
export const templateNames = ['welcome', 'drip', 'win_back', 'rescue', 'thanks', 'blank'] as const
export type TemplateName = (typeof templateNames)[number]

const send = (content: string | undefined): DraftStep => ({
  ...(newStep('send') as DraftStep & { kind: 'send' }),
  content: content ?? '',
})
const wait = (amount: number, unit: Unit): DraftStep => ({ id: crypto.randomUUID(), kind: 'wait', amount, unit })

/** A ready-made flow (AUTO-04). */
export function valuesOfTemplate(template: TemplateName): FlowValues {
  if (template === 'blank') return { ...nothing, name: '', trigger: 'follow', steps: [newStep('send')] }
  const { name, messages } = templates[template]
  const [first, second, third]: readonly string[] = messages
  const flow = { ...nothing, name }
  if (template === 'drip')
    return {
      ...flow,
      trigger: 'subscribed',
      steps: [send(first), wait(1, 'days'), send(second), wait(1, 'days'), send(third)],
    }
  if (template === 'win_back')
    return {
      ...flow,
      trigger: 'subscription_ended',
      steps: [wait(3, 'days'), newStep('promotion_code'), send(first)],
    }
  if (template === 'rescue')
    return { ...flow, trigger: 'payment_failed', steps: [send(first), wait(2, 'days'), stillUnpaid(), send(second)] }
  if (template === 'thanks')
    return { ...flow, trigger: 'payment', dollars: 5, steps: [wait(5, 'minutes'), send(first)] }
  return { ...flow, trigger: 'follow', steps: [send(first)] }
}

/** Fans who have paid in the meantime leave. */
const stillUnpaid = (): DraftStep => ({
  id: crypto.randomUUID(),
  kind: 'condition',
  rule: draftOf({ all: [{ condition: 'subscribed', status: 'past_due' }] }),
})
