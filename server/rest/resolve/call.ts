import { findNearest } from '../catalog/nearest.ts'
import { type Catalog, keyOf, type Name, type Parameter, type Routine } from '../catalog/types.ts'
import { restErrors } from '../errors.ts'
import type { ParsedRequest } from '../parse/request.ts'
import type { CallPlan, JsonBody } from './plan.ts'

/**
 * Turns filters back into arguments: `search=eq.a` is an argument if the function has a parameter `search`
 * and its rows have no such column. PostgREST treats it as a filter and fails, but users do search for such texts.
 */
export function reclaimArguments(catalog: Catalog, request: ParsedRequest): ParsedRequest {
  const { filters, args } = request.query
  const overloads = catalog.routines.get(keyOf(request.schema, request.name)) ?? []
  const reclaimed = filters.filter(
    ({ part, argument }) =>
      argument !== undefined &&
      part.field.path.length === 0 &&
      overloads.some((routine) => isOnlyParameter(catalog, routine, part.field.name)),
  )
  if (reclaimed.length === 0) return request
  const query = {
    ...request.query,
    filters: filters.filter((filter) => !reclaimed.includes(filter)),
    args: [...args, ...reclaimed.map(({ part, argument = 0 }) => ({ name: part.field.name, value: argument }))],
  }
  return { ...request, query }
}

function isOnlyParameter(catalog: Catalog, { parameters, returns }: Routine, name: string): boolean {
  const relation = returns.relation && catalog.relations.get(keyOf(returns.relation.schema, returns.relation.name))
  return (
    parameters.some((parameter) => parameter.name === name) &&
    !returns.columns.includes(name) &&
    !relation?.columns.has(name)
  )
}

/** The overload that matches the arguments' names. @throws GatewayError PGRST202 (404) for none, PGRST203 (300) for several. */
export function findRoutine(catalog: Catalog, request: ParsedRequest): Routine {
  const { schema, name } = request
  const overloads = catalog.routines.get(keyOf(schema, name)) ?? []
  const given = argumentNames(request)
  const named = overloads.filter((routine) => acceptsNames(routine, given, request))
  const candidates = named.length > 0 ? named : overloads.filter((routine) => acceptsWhole(routine, request))
  const [first, second] = candidates
  if (!first) throw noFunction(catalog, request, given, overloads)
  if (second) throw restErrors.ambiguousFunction(candidates.toSorted(byParameters).map(describe))
  return first
}

function argumentNames({ payload, query, method }: ParsedRequest): string[] {
  if (method === 'POST') return payload?.kind === 'json' ? [...payload.keys] : []
  return [...new Set(query.args.map(({ name }) => name))]
}

/** Every required parameter is given, and every argument is a parameter. */
function acceptsNames({ parameters }: Routine, given: readonly string[], { payload }: ParsedRequest): boolean {
  if (payload?.kind === 'raw') return false
  const names = new Set(parameters.map(({ name }) => name))
  return (
    given.every((name) => names.has(name)) &&
    parameters.every(({ name, required }) => !required || given.includes(name))
  )
}

/** One unnamed parameter takes the whole body, if it has the body's type. */
function acceptsWhole({ parameters }: Routine, { payload }: ParsedRequest): boolean {
  const [parameter, more] = parameters
  if (!payload || !parameter || more || parameter.name !== '') return false
  return payload.kind === 'json'
    ? parameter.type === 'json' || parameter.type === 'jsonb'
    : parameter.type === payload.type
}

const describeParameters = ({ parameters }: Routine): string =>
  parameters.map(({ name, type }) => `${name} => ${type}`).join(', ')

const describe = (routine: Routine): string => `${routine.schema}.${routine.name}(${describeParameters(routine)})`

/** The order of PostgREST's own list of candidates. */
function byParameters(one: Routine, other: Routine): number {
  return describeParameters(one) < describeParameters(other) ? -1 : 1
}

function noFunction(
  catalog: Catalog,
  { schema, name, payload }: ParsedRequest,
  given: readonly string[],
  overloads: readonly Routine[],
) {
  const full = `${schema}.${name}`
  const listed = [...given].sort().join(', ')
  if (payload?.kind === 'raw') {
    return restErrors.noFunction(
      `Could not find the function ${full} in the schema cache`,
      `Searched for the function ${full} with a single unnamed ${payload.type} parameter, but no matches were found in the schema cache.`,
      undefined,
    )
  }
  const searched =
    given.length === 0 ? ' without parameters' : ` with parameter${given.length > 1 ? 's' : ''} ${listed}`
  const alternative = payload ? ' or with a single unnamed json/jsonb parameter' : ''
  return restErrors.noFunction(
    `Could not find the function ${full}${given.length === 0 ? ' without parameters' : `(${listed})`} in the schema cache`,
    `Searched for the function ${full}${searched}${alternative}, but no matches were found in the schema cache.`,
    suggest(catalog, schema, name, listed, overloads),
  )
}

function suggest(catalog: Catalog, schema: string, name: string, listed: string, overloads: readonly Routine[]) {
  const start = `Perhaps you meant to call the function ${schema}.`
  if (overloads.length === 0) {
    const names = [...catalog.routines.values()].flatMap(([first]) => (first?.schema === schema ? [first.name] : []))
    const nearest = findNearest(name, names)
    return nearest && start + nearest
  }
  const signatures = overloads.map(
    ({ parameters }) =>
      `(${parameters
        .map((parameter) => parameter.name)
        .sort()
        .join(', ')})`,
  )
  const nearest = findNearest(`(${listed})`, signatures, 0.33)
  return nearest && `${start}${name}${nearest}`
}

/** @param returning the columns that the answer reads of a function's rows. */
export function planCall(routine: Routine, request: ParsedRequest, returning: readonly string[]): CallPlan {
  const { returns, volatility } = routine
  return {
    function: { schema: routine.schema, name: routine.name },
    returns: returns.kind,
    setOf: returns.setOf,
    readOnly: request.method !== 'POST' || volatility !== 'volatile',
    arguments: planArguments(routine, request),
    returning: returns.kind === 'composite' ? returning : [],
  }
}

function planArguments({ parameters }: Routine, request: ParsedRequest): CallPlan['arguments'] {
  const { payload, query, method } = request
  const [only] = parameters
  if (parameters.length === 1 && only?.name === '') return { kind: 'single', type: only.type, value: payload?.value }
  const given = argumentNames(request)
  const specified = parameters.filter(({ name }) => given.includes(name))
  if (specified.length === 0) return { kind: 'none' }
  if (method !== 'POST')
    return { kind: 'values', given: specified.map((parameter) => withValues(parameter, query.args)) }
  if (payload?.kind !== 'json') return { kind: 'none' }
  const body: JsonBody = {
    value: payload.value,
    isObject: payload.isObject,
    columns: specified.map(({ name, type }) => ({ name, type, default: null })),
    defaults: false,
  }
  return { kind: 'json', body, parameters: specified }
}

/** A variadic parameter collects its repetitions; for any other the last one counts. */
function withValues(parameter: Parameter, args: ParsedRequest['query']['args']) {
  const values = args.filter(({ name }) => name === parameter.name).map(({ value }) => value)
  return { parameter, values: parameter.variadic ? values : values.slice(-1) }
}

/** Rows of a function that come from a relation have that relation's columns and relationships. */
export function resultRelation({ returns, schema, name }: Routine): Name {
  return returns.relation ?? { schema, name }
}
