import { ruleConditionsMax, ruleDaysMax } from '@ovation/contract/limits'

/** A condition of a smart list, with its fields (LIST-02). */
export type Condition = { condition: ConditionName } & { [field in FieldName]?: string | number }
export type Rule = { all: (Condition | Rule)[] } | { any: (Condition | Rule)[] }

/** The conditions and the fields that each one needs, as in `private.audience_conditions`. */
export const conditions = {
  plan: ['plan'],
  subscribed: ['status'],
  not_subscribed: ['before'],
  subscribed_for: ['days'],
  subscribed_since: ['date'],
  renewal_off: [],
  expired: ['is', 'days'],
  spent: ['is', 'cents'],
  spent_lately: ['is', 'cents', 'days'],
  tipped: ['is', 'cents'],
  bought: ['what'],
  never_bought: ['what'],
  last_seen: ['is', 'days'],
  only_follows: [],
  came_by_link: ['link'],
  in_list: ['list'],
} as const satisfies Record<string, readonly FieldName[]>
export type ConditionName = keyof typeof conditions
export const conditionNames = Object.keys(conditions) as ConditionName[]

/** Fields with a fixed choice. */
export const choices = {
  status: ['any', 'active', 'trial', 'past_due'],
  before: ['any', 'ever', 'never'],
  is: ['at_least', 'at_most'],
  what: ['anything', 'post', 'message', 'session'],
} as const
export type FieldName = keyof typeof choices | 'plan' | 'days' | 'date' | 'cents' | 'list' | 'link'

/** A rule that is being written: its parts have keys, and fields can be empty. */
export type DraftGroup = { key: number; join: 'all' | 'any'; parts: (DraftGroup | DraftCondition)[] }
export type DraftCondition = {
  key: number
  condition: ConditionName
  values: { [field in FieldName]?: string | number }
}
export const isGroup = (part: DraftGroup | DraftCondition): part is DraftGroup => 'parts' in part

// Later than the keys of a draft that is restored.
let lastKey = Date.now()
const nextKey = (): number => {
  lastKey += 1
  return lastKey
}

export const newCondition = (condition: ConditionName = 'subscribed'): DraftCondition => ({
  key: nextKey(),
  condition,
  values: Object.fromEntries(
    conditions[condition].flatMap((field) =>
      field in choices ? [[field, choices[field as keyof typeof choices][0]]] : [],
    ),
  ),
})
export const newGroup = (): DraftGroup => ({ key: nextKey(), join: 'all', parts: [newCondition()] })

export function draftOf(rule: Rule): DraftGroup {
  const [join, parts] = 'all' in rule ? (['all', rule.all] as const) : (['any', rule.any] as const)
  return {
    key: nextKey(),
    join,
    parts: parts.map((part) => {
      if (!('condition' in part)) return draftOf(part)
      const { condition, ...values } = part
      return { key: nextKey(), condition, values }
    }),
  }
}

/** The rule, or null while a field is empty or wrong. */
export function ruleOf({ join, parts }: DraftGroup): Rule | null {
  const members: (Condition | Rule)[] = []
  for (const part of parts) {
    const member = isGroup(part) ? ruleOf(part) : conditionOf(part)
    if (!member) return null
    members.push(member)
  }
  if (members.length === 0) return null
  return join === 'all' ? { all: members } : { any: members }
}

function conditionOf({ condition, values }: DraftCondition): Condition | null {
  const fields: readonly FieldName[] = conditions[condition]
  if (!fields.every((field) => isRight(field, values[field]))) return null
  return { condition, ...Object.fromEntries(fields.map((field) => [field, values[field]])) }
}

function isRight(field: FieldName, value: string | number | undefined): boolean {
  if (field === 'days') return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= ruleDaysMax
  if (field === 'cents') return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100_000_000
  return typeof value === 'string' && value !== ''
}

const countConditions = ({ parts }: DraftGroup): number =>
  parts.reduce((sum, part) => sum + (isGroup(part) ? countConditions(part) : 1), 0)
export const isFull = (draft: DraftGroup): boolean => countConditions(draft) >= ruleConditionsMax
