import { commentTexts } from '@ovation/contract/texts/comments'
import type { Commenters } from '../comments/queries.ts'
import type { Plan } from '../subscriptions/plan-queries.ts'

/** Who may comment, as one value of a select: a rule, `plan:` with the id of a plan, or `default` for the creator's usual rule. */
export type CommentersChoice = string

const { commenters: texts } = commentTexts
const rules = ['everyone', 'followers', 'subscribers', 'nobody'] as const
const planPrefix = 'plan:'

export const usualChoice: CommentersChoice = 'default'

export function choiceOf(commenters: string | null, planId: string | null): CommentersChoice {
  if (commenters === null) return usualChoice
  return commenters === 'plan' ? `${planPrefix}${planId ?? ''}` : commenters
}

/** Null for the creator's usual rule. */
export function commentersOf(choice: CommentersChoice): { commenters: Commenters; planId: string | null } | null {
  if (choice.startsWith(planPrefix)) return { commenters: 'plan', planId: choice.slice(planPrefix.length) }
  const commenters = rules.find((rule) => rule === choice)
  return commenters ? { commenters, planId: null } : null
}

/** @param hasDefault whether the creator's usual rule is a choice. @param chosen stays a choice when its plan is gone. */
export function commentersChoices(plans: readonly Plan[], hasDefault: boolean, chosen: CommentersChoice) {
  const choices = [
    ...(hasDefault ? [{ value: usualChoice, label: texts.default }] : []),
    ...rules.slice(0, 3).map((value) => ({ value: value as string, label: texts[value] })),
    ...plans.map(({ id, name }) => ({ value: `${planPrefix}${id}`, label: texts.plan(name) })),
    { value: 'nobody', label: texts.nobody },
  ]
  return choices.some(({ value }) => value === chosen) ? choices : [...choices, { value: chosen, label: texts.gone }]
}
