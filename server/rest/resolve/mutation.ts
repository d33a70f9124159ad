import { findNearest } from '../catalog/nearest.ts'
import type { Relation } from '../catalog/types.ts'
import { restErrors } from '../errors.ts'
import type { ParsedRequest } from '../parse/request.ts'
import { planFilter, planLogic } from './conditions.ts'
import type { Level } from './level.ts'
import type { Condition, JsonBody, MutationPlan } from './plan.ts'

type WritingRequest = ParsedRequest & { readonly action: MutationPlan['kind'] }

/** The rows to write, and their values. @throws GatewayError PGRST105, PGRST114, PGRST204. */
export function planMutation(request: WritingRequest, relation: Relation, returned: Level): MutationPlan {
  const { action } = request
  if (action === 'put') requireKeyFilters(request, relation)
  return {
    kind: action,
    relation: { schema: relation.schema, name: relation.name },
    alias: relation.name,
    body: action === 'delete' ? undefined : planBody(request, relation),
    where: action === 'insert' ? [] : planWhere(request, relation),
    conflict: planConflict(request, relation),
    returning: planReturning(request, relation, returned),
    primaryKey: relation.primaryKey,
  }
}

function planConflict(
  { action, query, preferences }: WritingRequest,
  { primaryKey }: Relation,
): MutationPlan['conflict'] {
  if (action === 'put') return { columns: primaryKey, merge: true }
  if (action !== 'insert' || !preferences.resolution) return undefined
  const columns = query.onConflict ?? primaryKey
  return columns.length > 0 ? { columns, merge: preferences.resolution === 'merge-duplicates' } : undefined
}

/** The filters of the outermost level. A PUT's compare the body with the key in the URL, so they use the body's columns. */
function planWhere({ action, query }: WritingRequest, relation: Relation): Condition[] {
  const rows = { known: relation, alias: action === 'put' ? bodyAlias : relation.name, embeds: [] }
  return [
    ...query.filters.filter(({ path }) => path.length === 0).map(({ part }) => planFilter(rows, part)),
    ...query.logic.filter(({ path }) => path.length === 0).map(({ part }) => planLogic(rows, part)),
  ]
}

function planReturning({ action, preferences }: WritingRequest, { primaryKey }: Relation, returned: Level) {
  if (preferences.representation === 'representation') return columnsNeeded(returned, primaryKey)
  return preferences.representation === 'headers-only' && action === 'insert' ? primaryKey : []
}

/** The alias of a body's rows in the statement. */
const bodyAlias = 'pgrst_body'

function planBody({ payload, preferences, action }: ParsedRequest, relation: Relation): JsonBody {
  if (payload?.kind !== 'json') throw restErrors.body('Empty or invalid json')
  const columns = payload.keys.map((key) => {
    const column = relation.columns.get(key)
    if (!column) throw restErrors.noColumn(relation.name, key, findNearest(key, relation.columns.keys()))
    return { name: key, type: column.type, default: column.default }
  })
  return {
    value: payload.value,
    isObject: payload.isObject,
    columns,
    defaults: preferences.missing === 'default' && action !== 'put',
  }
}

/** PUT names one row by its whole key. */
function requireKeyFilters({ query, range }: ParsedRequest, { primaryKey }: Relation) {
  if (range.limit !== undefined || range.offset > 0 || query.ranges.length > 0) throw restErrors.putLimit()
  const filters = query.filters.map(({ part, path }) => {
    const { field, negated, expression } = part
    const isEquality = expression.kind === 'compare' && expression.operator === '=' && !expression.quantifier
    return isEquality && !negated && path.length === 0 && field.path.length === 0 ? field.name : undefined
  })
  const names = new Set(filters)
  const whole = primaryKey.length > 0 && names.size === primaryKey.length && primaryKey.every((name) => names.has(name))
  if (!whole || query.logic.length > 0) throw restErrors.putFilters()
}

/**
 * The columns of the changed rows that the answer and its embeds read. No others, because each needs the read permission.
 */
export function columnsNeeded(returned: Level, primaryKey: readonly string[]): string[] {
  const names = new Set<string>(primaryKey)
  for (const { field } of returned.columns) names.add(field.name)
  for (const { relation, field } of returned.order) if (relation === undefined) names.add(field.name)
  for (const { relationship } of returned.embeds) {
    if (relationship.cardinality === 'computed') names.add('*')
    else if (relationship.cardinality === 'many-to-many') {
      for (const [own] of relationship.junction.sourceColumns) names.add(own)
    } else for (const [own] of relationship.columns) names.add(own)
  }
  if (!names.has('*')) return [...names].sort()
  // `*` means all columns in the catalog; computed columns must be named.
  return [
    '*',
    ...[...names].filter((name) => name !== '*' && returned.known && !returned.known.columns.has(name)).sort(),
  ]
}
