import type { JsonBody } from '../resolve/plan.ts'
import { literal, type Parameters, quote } from './parameters.ts'

/**
 * The rows of a JSON body as `pgrst_body`, with the column types of the table. PostgreSQL reads the JSON, so numbers keep
 * their digits, and the body is one parameter for any number of rows.
 */
export function compileBody({ value, isObject, columns, defaults }: JsonBody, parameters: Parameters): string {
  const json = `${parameters.add(value)}::${defaults ? 'jsonb' : 'json'}`
  const typed = columns.map(({ name, type }) => `${quote(name)} ${type}`).join(', ')
  const names = columns.map(({ name }) => quote(name)).join(', ')
  if (columns.length === 0) {
    const rows = isObject ? '(values (1)) as _' : `json_array_elements(${json.replace(/b$/, '')}) as _`
    return `(select from ${rows}) as pgrst_body`
  }
  if (!defaults) {
    return `(select ${names} from json_to_${isObject ? 'record' : 'recordset'}(${json}) as _(${typed})) as pgrst_body`
  }
  const fallback = `jsonb_build_object(${columns
    .flatMap(({ name, default: expression }) => (expression === null ? [] : [`${literal(name)}, ${expression}`]))
    .join(', ')})`
  // The defaults are below each row, so a key in the row wins, even a null; `nextval` runs once a row.
  const rows = isObject
    ? `(select ${fallback} || ${json} as row) as pgrst_row`
    : `(select ${fallback} || element as row from jsonb_array_elements(${json}) as element) as pgrst_row`
  return `(select _.* from ${rows}, lateral jsonb_to_record(pgrst_row.row) as _(${typed})) as pgrst_body`
}
