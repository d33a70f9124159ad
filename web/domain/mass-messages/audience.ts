import { fanListTexts } from '@ovation/contract/texts/fan-lists'
import { massMessageTexts } from '@ovation/contract/texts/mass-messages'
import type { Condition } from '../fans/audience-rule.ts'

export type AudienceCondition = Condition | { condition: 'everyone' }
/** Who gets a mass message: any of the first, and none of the second (MASS-01). */
export type Audience = { include: AudienceCondition[]; exclude: AudienceCondition[] }

const texts = massMessageTexts.compose

/** The groups that every creator has. */
const groups = {
  everyone: { condition: 'everyone' },
  subscribers: { condition: 'subscribed', status: 'any' },
  expired: { condition: 'not_subscribed', before: 'ever' },
  renewalOff: { condition: 'renewal_off' },
  followers: { condition: 'only_follows' },
} as const satisfies Record<string, AudienceCondition>
type Group = keyof typeof groups
export const groupNames = Object.keys(groups) as Group[]
const isGroupName = (value: string): value is Group => Object.hasOwn(groups, value)

/** A condition as the value of a field: `"everyone"`, `"list …"`, `"plan …"`. Others, which an API client can set, are kept as they are. */
export function keyOf(condition: AudienceCondition): string {
  const group = groupNames.find((name) => isSame(groups[name], condition))
  if (group) return group
  if (condition.condition === 'in_list') return `list ${condition.list}`
  if (condition.condition === 'plan') return `plan ${condition.plan}`
  return JSON.stringify(condition)
}

export function conditionOf(key: string): AudienceCondition {
  if (isGroupName(key)) return groups[key]
  if (key.startsWith('list ')) return { condition: 'in_list', list: key.slice(5) }
  if (key.startsWith('plan ')) return { condition: 'plan', plan: key.slice(5) }
  return JSON.parse(key) as AudienceCondition
}

/** In any order of their fields, which PostgreSQL changes. */
const isSame = (one: AudienceCondition, other: AudienceCondition): boolean =>
  JSON.stringify(Object.entries(one).toSorted()) === JSON.stringify(Object.entries(other).toSorted())

export const audienceOf = (to: string[], except: string[]): Audience => ({
  include: to.map(conditionOf),
  exclude: except.map(conditionOf),
})

type Named = { id: string; name: string }
export type Choice = { value: string; label: string }
export type ChoiceGroup = { group: string; items: Choice[] }

/** What a creator can choose, by groups of the menu. `chosen` has what the field has already, which may be gone by now. */
export function choicesOf(lists: readonly Named[], plans: readonly Named[], chosen: readonly string[]): ChoiceGroup[] {
  const known: ChoiceGroup[] = [
    { group: texts.groups.groups, items: groupNames.map((name) => ({ value: name, label: texts.audiences[name] })) },
    { group: texts.groups.lists, items: lists.map(({ id, name }) => ({ value: `list ${id}`, label: name })) },
    {
      group: texts.groups.plans,
      items: plans.map(({ id, name }) => ({ value: `plan ${id}`, label: texts.plan(name) })),
    },
  ]
  const values = new Set(known.flatMap(({ items }) => items.map(({ value }) => value)))
  const gone = chosen.filter((value) => !values.has(value)).map((value) => ({ value, label: labelOfOther(value) }))
  return [...known, { group: texts.groups.others, items: gone }].filter(({ items }) => items.length > 0)
}

function labelOfOther(key: string): string {
  const { condition } = conditionOf(key)
  return condition === 'in_list' || condition === 'plan' || condition === 'everyone'
    ? texts.gone
    : fanListTexts.rule.conditions[condition]
}
