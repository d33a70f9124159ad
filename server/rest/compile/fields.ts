import type { ColumnPlan, FieldPlan, OrderPlan } from '../resolve/plan.ts'
import { type Parameters, quote } from './parameters.ts'

export function compileField({ row, column, path, toJson }: FieldPlan, parameters: Parameters): string {
  const reference = `${quote(row)}.${column === '*' ? '*' : quote(column)}`
  if (path.length === 0) return reference
  const steps = path.map(({ arrow, name, key }) => {
    const placeholder = parameters.add(key)
    return arrow + (name === undefined ? `${placeholder}::int` : placeholder)
  })
  return (toJson ? `to_jsonb(${reference})` : reference) + steps.join('')
}

export type CompiledColumn = {
  readonly text: string
  /** The expression to group by when the level aggregates; undefined for the aggregates themselves. */
  readonly group: string | undefined
}

export function compileColumn(
  { field, alias, cast, aggregate, aggregateCast }: ColumnPlan,
  parameters: Parameters,
): CompiledColumn {
  const reference = compileField(field, parameters)
  // A cast's type can't be quoted (`double precision`); parse lets only letters, digits, underscores and spaces through.
  const value = cast === undefined ? reference : `cast(${reference} as ${cast})`
  const as = alias === undefined ? '' : ` as ${quote(alias)}`
  if (aggregate === undefined) return { text: value + as, group: value }
  const argument = field.column === '*' ? '*' : value
  const aggregated = `${aggregate}(${argument})`
  return {
    text: (aggregateCast === undefined ? aggregated : `cast(${aggregated} as ${aggregateCast})`) + as,
    group: undefined,
  }
}

export function compileOrder(terms: readonly OrderPlan[], parameters: Parameters): string {
  if (terms.length === 0) return ''
  const list = terms.map(({ field, direction, nulls }) => {
    const text = compileField(field, parameters)
    return `${text}${direction ? ` ${direction}` : ''}${nulls ? ` nulls ${nulls}` : ''}`
  })
  return ` order by ${list.join(', ')}`
}
