import type { Catalog, Column, Relation, Routine } from './catalog/types.ts'

/** The exposed schema as OpenAPI 2.0, PostgREST's version: paths, and the columns of their results. */
export function describeApi(catalog: Catalog, schema: string, siteUrl: string) {
  const relations = [...catalog.relations.values()].filter((relation) => relation.schema === schema)
  const routines = [...catalog.routines.values()].filter(([first]) => first?.schema === schema)
  const { host, protocol } = new URL(siteUrl)
  return {
    swagger: '2.0',
    info: { title: 'rest/v1', description: `Tables, views and functions of the schema ${schema}`, version: '14' },
    host,
    basePath: '/rest/v1',
    schemes: [protocol.replace(':', '')],
    consumes: ['application/json', 'application/vnd.pgrst.object+json', 'text/csv'],
    produces: ['application/json', 'application/vnd.pgrst.object+json', 'text/csv'],
    paths: {
      '/': { get: { tags: ['Introspection'], summary: 'This description', responses: { 200: { description: 'OK' } } } },
      ...Object.fromEntries(relations.map((relation) => [`/${relation.name}`, describeRelation(relation)])),
      ...Object.fromEntries(routines.map((overloads) => [`/rpc/${overloads[0]?.name}`, describeRoutine(overloads)])),
    },
    definitions: Object.fromEntries(relations.map((relation) => [relation.name, defineRelation(relation)])),
  }
}

function describeRelation({ name, columns, insertable, updatable, deletable, description }: Relation) {
  const filters = [...columns.values()].map((column) => ({
    name: column.name,
    in: 'query',
    type: 'string',
    required: false,
  }))
  const shaping = ['select', 'order', 'limit', 'offset'].map((parameter) => ({
    name: parameter,
    in: 'query',
    type: 'string',
    required: false,
  }))
  const body = { name, in: 'body', required: false, schema: { $ref: `#/definitions/${name}` } }
  const about = { tags: [name], ...(description !== null && { summary: description }) }
  const rows = { description: 'OK', schema: { type: 'array', items: { $ref: `#/definitions/${name}` } } }
  return {
    get: {
      ...about,
      parameters: [...filters, ...shaping],
      responses: { 200: rows, 206: { description: 'Partial Content' } },
    },
    ...(insertable && { post: { ...about, parameters: [body], responses: { 201: { description: 'Created' } } } }),
    ...(updatable && {
      patch: { ...about, parameters: [...filters, body], responses: { 204: { description: 'No Content' } } },
    }),
    ...(deletable && { delete: { ...about, parameters: filters, responses: { 204: { description: 'No Content' } } } }),
  }
}

function describeRoutine(overloads: readonly Routine[]) {
  const [first] = overloads
  const parameters = new Map(
    overloads.flatMap((routine) => routine.parameters.map((parameter) => [parameter.name, parameter])),
  )
  const properties = Object.fromEntries([...parameters].map(([name, { type }]) => [name, describeType(type)]))
  const required = (first?.parameters ?? []).filter((parameter) => parameter.required).map(({ name }) => name)
  const about = { tags: [`(rpc) ${first?.name}`], ...(first?.description != null && { summary: first.description }) }
  const body = {
    name: 'args',
    in: 'body',
    required: true,
    schema: { type: 'object', properties, ...(required.length > 0 && { required }) },
  }
  return { post: { ...about, parameters: [body], responses: { 200: { description: 'OK' } } } }
}

function defineRelation({ columns, primaryKey, description }: Relation) {
  const required = [...columns.values()]
    .filter((column) => !column.nullable && column.default === null)
    .map(({ name }) => name)
  return {
    type: 'object',
    ...(description !== null && { description }),
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      [...columns.values()].map((column) => [column.name, describeColumn(column, primaryKey)]),
    ),
  }
}

function describeColumn({ name, type, description, enumeration }: Column, primaryKey: readonly string[]) {
  const notes = [description, primaryKey.includes(name) ? 'Note:\nThis is a Primary Key.<pk/>' : null].filter(
    (note) => note !== null,
  )
  return {
    ...describeType(type),
    ...(notes.length > 0 && { description: notes.join('\n\n') }),
    ...(enumeration && { enum: enumeration }),
  }
}

function describeType(type: string): Record<string, unknown> {
  if (type.endsWith('[]')) return { type: 'array', items: describeType(type.slice(0, -2)) }
  if (/^(smallint|integer|bigint)/.test(type)) return { type: 'integer', format: type }
  if (/^(numeric|real|double precision)/.test(type)) return { type: 'number', format: type }
  if (type === 'boolean') return { type: 'boolean', format: type }
  if (type === 'json' || type === 'jsonb') return { format: type }
  return { type: 'string', format: type }
}
