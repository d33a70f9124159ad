import { restErrors } from '../errors.ts'
import type { Filter, LogicTree } from '../parse/syntax.ts'
import { isToOne } from './find-relationship.ts'
import { type Level, planField } from './level.ts'
import type { Condition } from './plan.ts'

/** The parts of its level that a condition needs. */
type Rows = Pick<Level, 'known' | 'alias' | 'embeds'>

/** All conditions of a level, combined with AND. */
export function planConditions(level: Level): Condition[] {
  return [
    ...level.filters.map((filter) => planFilter(level, filter)),
    ...level.logic.map((tree) => planLogic(level, tree)),
  ]
}

export function planLogic(level: Rows, tree: LogicTree): Condition {
  if (tree.kind === 'filter') return planFilter(level, tree.filter)
  const { negated, operator, members } = tree
  return { kind: 'group', negated, operator, members: members.map((member) => planLogic(level, member)) }
}

export function planFilter(level: Rows, { field, negated, expression }: Filter): Condition {
  const embed = field.path.length === 0 ? level.embeds.find(({ label }) => label === field.name) : undefined
  if (embed && !level.known?.columns.has(field.name)) {
    if (expression.kind !== 'is' || (expression.operand !== 'null' && expression.operand !== 'not_null')) {
      throw restErrors.embedFilter(field.name)
    }
    const exists = negated === (expression.operand === 'null')
    return { kind: 'embedded', exists, embed: { alias: embed.joinAlias, toOne: isToOne(embed.relationship) } }
  }
  const type = level.known?.columns.get(field.name)?.type
  // A json key is never a tsvector. A column that the catalog doesn't know is computed, and used unchanged.
  const vector = expression.kind === 'fts' && type !== undefined && (type !== 'tsvector' || field.path.length > 0)
  return { kind: 'filter', negated, field: planField(level, field), vector, expression }
}
