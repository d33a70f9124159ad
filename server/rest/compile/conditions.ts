import type { Expression, IsOperand } from '../parse/syntax.ts'
import type { Condition, JoinCondition } from '../resolve/plan.ts'
import { compileField } from './fields.ts'
import { type Parameters, quote } from './parameters.ts'

/** How a condition tests whether something is embedded: a join has its alias, a count uses a subquery. */
export type CompileEmbedded = (embed: { readonly alias: string; readonly toOne: boolean }, exists: boolean) => string

const operands: Readonly<Record<IsOperand, string>> = {
  null: 'null',
  not_null: 'not null',
  true: 'true',
  false: 'false',
  unknown: 'unknown',
}

export function compileWhere(
  conditions: readonly Condition[],
  joins: readonly JoinCondition[],
  parameters: Parameters,
  embedded: CompileEmbedded = compileEmbedded,
  more: readonly string[] = [],
): string {
  const parts = [
    ...joins.map(compileJoin),
    ...conditions.map((condition) => compileCondition(condition, parameters, embedded)),
    ...more,
  ]
  return parts.length === 0 ? '' : ` where ${parts.join(' and ')}`
}

function compileJoin({ left, right }: JoinCondition): string {
  return `${quote(left[0])}.${quote(left[1])} = ${quote(right[0])}.${quote(right[1])}`
}

function compileCondition(condition: Condition, parameters: Parameters, embedded: CompileEmbedded): string {
  switch (condition.kind) {
    case 'embedded':
      return embedded(condition.embed, condition.exists)
    case 'group': {
      const members = condition.members.map((member) => compileCondition(member, parameters, embedded))
      return `${condition.negated ? 'not ' : ''}(${members.join(` ${condition.operator} `)})`
    }
    case 'filter': {
      const { negated, field, vector, expression } = condition
      const reference = compileField(field, parameters)
      const compared = vector ? compileVector(reference, expression, parameters) : reference
      return `${negated ? 'not ' : ''}${compared} ${compileExpression(expression, parameters)}`
    }
  }
}

function compileEmbedded({ alias, toOne }: { alias: string; toOne: boolean }, exists: boolean): string {
  // A list is null when it has no row; a row is distinct from null even when all of its columns are null.
  if (toOne) return `${quote(alias)} is ${exists ? '' : 'not '}distinct from null`
  return `${quote(alias)}.${quote(alias)} is ${exists ? 'not ' : ''}null`
}

function compileVector(reference: string, expression: Expression, parameters: Parameters): string {
  const language = expression.kind === 'fts' && expression.language !== undefined ? expression.language : undefined
  return `to_tsvector(${language === undefined ? '' : `${parameters.add(language)}, `}${reference})`
}

function compileExpression(expression: Expression, parameters: Parameters): string {
  switch (expression.kind) {
    case 'compare': {
      const value = parameters.add(expression.value)
      return `${expression.operator} ${expression.quantifier ? `${expression.quantifier}(${value})` : value}`
    }
    case 'in':
      // Not IN: the list is one parameter, so the text doesn't depend on its length, and it may be empty.
      return `= any(${parameters.add(expression.value)})`
    case 'is':
      return `is ${operands[expression.operand]}`
    case 'distinct':
      return `is distinct from ${parameters.add(expression.value)}`
    case 'fts': {
      const language = expression.language === undefined ? '' : `${parameters.add(expression.language)}, `
      return `@@ ${expression.query}(${language}${parameters.add(expression.value)})`
    }
  }
}
