import type { MutationPlan } from '../resolve/plan.ts'
import { compileBody } from './body.ts'
import { compileWhere } from './conditions.ts'
import { type Parameters, qualified, quote } from './parameters.ts'

export function compileMutation(plan: MutationPlan, parameters: Parameters): string {
  switch (plan.kind) {
    case 'insert':
    case 'put':
      return compileInsert(plan, parameters)
    case 'update':
      return compileUpdate(plan, parameters)
    case 'delete':
      return `delete from ${target(plan)}${compileWhere(plan.where, [], parameters)}${compileReturning(plan)}`
  }
}

const target = ({ relation, alias }: MutationPlan) => `${qualified(relation)} as ${quote(alias)}`

function compileInsert(plan: MutationPlan, parameters: Parameters): string {
  const { relation, alias, body, conflict } = plan
  const columns = body?.columns.map(({ name }) => quote(name)) ?? []
  const into = `insert into ${qualified(relation)} as ${quote(alias)}${columns.length > 0 ? ` (${columns.join(', ')})` : ''}`
  if (!body || (columns.length === 0 && body.isObject)) return `${into} default values${compileReturning(plan)}`
  const rows = compileBody(body, parameters)
  const list = columns.map((name) => `pgrst_body.${name}`).join(', ')
  const counting = conflict?.merge && columns.length > 0 ? [countInserted('+', '0')] : []
  const where = compileWhere(plan.where, [], parameters, undefined, counting)
  return `${into} select ${list} from ${rows}${where}${compileConflict(plan)}${compileReturning(plan)}`
}

function compileConflict({ conflict, body }: MutationPlan): string {
  if (!conflict) return ''
  const columns = body?.columns.map(({ name }) => quote(name)) ?? []
  const on = ` on conflict (${conflict.columns.map(quote).join(', ')})`
  if (!conflict.merge || columns.length === 0) return `${on} do nothing`
  const set = columns.map((name) => `${name} = excluded.${name}`).join(', ')
  return `${on} do update set ${set} where ${countInserted('-', '-1')}`
}

/** Counts a row up when it is offered and down when it exists already; the rest were inserted (200 or 201). */
function countInserted(sign: '+' | '-', never: string): string {
  return `set_config('pgrst.inserted', (coalesce(nullif(current_setting('pgrst.inserted', true), '')::int, 0) ${sign} 1)::text, true) <> '${never}'`
}

function compileUpdate(plan: MutationPlan, parameters: Parameters): string {
  const { relation, alias, body } = plan
  if (!body || body.columns.length === 0) {
    // Nothing to set isn't an error: nothing changes, and the answer has the usual columns.
    const list = plan.returning.map((name) => `${quote(alias)}.${name === '*' ? '*' : quote(name)}`).join(', ')
    return `select ${list || '1'} from ${qualified(relation)} as ${quote(alias)} where false`
  }
  const set = body.columns.map(({ name }) => `${quote(name)} = pgrst_body.${quote(name)}`).join(', ')
  const from = compileBody(body, parameters)
  return `update ${target(plan)} set ${set} from ${from}${compileWhere(plan.where, [], parameters)}${compileReturning(plan)}`
}

function compileReturning({ returning, alias }: MutationPlan): string {
  if (returning.length === 0) return ' returning 1'
  return ` returning ${returning.map((name) => `${quote(alias)}.${name === '*' ? '*' : quote(name)}`).join(', ')}`
}
