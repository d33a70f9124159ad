import { findNearest } from '../catalog/nearest.ts'
import { type Catalog, keyOf, type Relation, type Routine } from '../catalog/types.ts'
import { restErrors } from '../errors.ts'
import type { ParsedRequest } from '../parse/request.ts'
import type { LogicTree } from '../parse/syntax.ts'
import { findRoutine, planCall, reclaimArguments, resultRelation } from './call.ts'
import { buildRoot, type Level } from './level.ts'
import { negotiate } from './media-type.ts'
import { columnsNeeded, planMutation } from './mutation.ts'
import type { ReadPlan, RequestPlan } from './plan.ts'
import { hangConditions, planRead } from './read.ts'

export type ResolveOptions = { readonly maxRows: number; readonly aggregates: boolean; readonly plan: boolean }

/** Resolves every name of the request in the catalog. Pure. @throws GatewayError PGRST1xx and PGRST2xx. */
export function resolveRequest(request: ParsedRequest, catalog: Catalog, options: ResolveOptions): RequestPlan {
  const { action } = request
  if (action === 'call') return resolveCall(request, catalog, options)
  const relation = findRelation(catalog, request)
  if (action === 'read') return resolveRead(request, catalog, relation, options)
  return resolveMutation({ ...request, action }, catalog, relation, options)
}

/** @throws GatewayError PGRST205 (404) with the nearest name. */
function findRelation(catalog: Catalog, { schema, name }: { schema: string; name: string }): Relation {
  const relation = catalog.relations.get(keyOf(schema, name))
  if (relation) return relation
  const names = [...catalog.relations.values()].flatMap((known) => (known.schema === schema ? [known.name] : []))
  throw restErrors.noTable(schema, name, findNearest(name, names))
}

function resolveRead(request: ParsedRequest, catalog: Catalog, relation: Relation, options: ResolveOptions) {
  const name = { schema: relation.schema, name: relation.name }
  const root = buildRoot(catalog, name, { kind: 'relation', relation: name }, request.query.select)
  hangConditions(root, request.query, { rootFilters: true })
  root.range = request.range
  return planRequest(request, name, planRead(root, options), options, { geoJson: catalog.geoJson })
}

function resolveMutation(
  request: ParsedRequest & { action: 'insert' | 'put' | 'update' | 'delete' },
  catalog: Catalog,
  relation: Relation,
  options: ResolveOptions,
) {
  const name = { schema: relation.schema, name: relation.name }
  const root = buildRoot(catalog, name, { kind: 'source' }, request.query.select)
  hangConditions(root, request.query, { rootFilters: false })
  const mutation = planMutation(request, relation, root)
  // All written rows are returned: a limit would hide changes.
  return planRequest(request, name, planRead(root, { ...options, maxRows: undefined }), options, {
    mutation,
    geoJson: catalog.geoJson,
  })
}

function resolveCall(given: ParsedRequest, catalog: Catalog, options: ResolveOptions) {
  const request = reclaimArguments(catalog, given)
  const routine = findRoutine(catalog, request)
  const name = resultRelation(routine)
  const root = buildRoot(catalog, name, { kind: 'source' }, request.query.select)
  hangConditions(root, request.query, { rootFilters: true })
  root.range = request.range
  const { handling, maxAffected } = request.preferences
  if (handling === 'strict' && maxAffected !== undefined && !routine.returns.setOf) throw restErrors.maxAffectedRpc()
  const call = planCall(routine, request, columnsNeeded(root, filteredColumns(root)))
  return planRequest(request, name, planRead(root, options), options, {
    call,
    scalar: scalarForm(routine),
    geoJson: routine.returns.kind === 'composite' ? catalog.geoJson : undefined,
  })
}

/** The columns of a function's rows that the outermost filters read; conditions on embeds aren't columns. */
function filteredColumns({ filters, logic, embeds, known }: Level): string[] {
  const names: string[] = []
  const collect = (tree: LogicTree) => {
    if (tree.kind === 'filter') names.push(tree.filter.field.name)
    else tree.members.forEach(collect)
  }
  for (const { field } of filters) names.push(field.name)
  logic.forEach(collect)
  return names.filter((name) => known?.columns.has(name) || !embeds.some(({ label }) => label === name))
}

function scalarForm({ returns }: Routine): 'text' | 'binary' | undefined {
  if (returns.kind !== 'scalar' || returns.setOf) return undefined
  return returns.type === 'bytea' ? 'binary' : 'text'
}

type Parts = Pick<Partial<RequestPlan>, 'mutation' | 'call' | 'geoJson'> & { scalar?: 'text' | 'binary' | undefined }

function planRequest(
  request: ParsedRequest,
  relation: RequestPlan['relation'],
  read: ReadPlan,
  options: ResolveOptions,
  { mutation, call, scalar, geoJson }: Parts,
): RequestPlan {
  const { action, method, schemaNamed, preferences, range, accept } = request
  const media = negotiate(accept, { scalar, plan: options.plan, geoJson: geoJson !== undefined })
  return {
    action,
    method,
    relation,
    schemaNamed,
    media,
    preferences,
    read,
    mutation,
    call,
    range,
    maxRows: options.maxRows,
    geoJson,
  }
}
