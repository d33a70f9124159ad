import { GatewayError, type GatewayErrorExtras } from '../http/errors.ts'

const refuse = (status: number, code: string, message: string, more: GatewayErrorExtras = {}) =>
  new GatewayError(status, code, message, more)

/** PostgREST's own codes (PostgREST/postgrest `docs/references/errors.rst`): 1xx the request, 2xx the catalog. */
export const restErrors = {
  noCatalog: (cause: unknown) =>
    refuse(503, 'PGRST002', 'Could not query the database for the schema cache. Retrying.', {
      headers: { 'Retry-After': '2' },
      cause,
    }),
  parse: (message: string, details: string) => refuse(400, 'PGRST100', message, { details }),
  rpcMethod: (method: string) => refuse(405, 'PGRST101', `Cannot use the ${method} method on RPC`),
  body: (message: string) => refuse(400, 'PGRST102', message),
  range: (details: string, headers: Record<string, string> = {}) =>
    refuse(416, 'PGRST103', 'Requested range not satisfiable', { details, headers }),
  putFilters: () =>
    refuse(405, 'PGRST105', "Filters must include all and only primary key columns with 'eq' operators"),
  schema: (schema: string, exposed: readonly string[]) =>
    refuse(406, 'PGRST106', `Invalid schema: ${schema}`, {
      hint: `Only the following schemas are exposed: ${exposed.join(', ')}`,
    }),
  mediaType: (accepted: readonly string[]) =>
    refuse(406, 'PGRST107', `None of these media types are available: ${accepted.join(', ')}`),
  notEmbedded: (name: string) =>
    refuse(400, 'PGRST108', `'${name}' is not an embedded resource in this request`, {
      hint: `Verify that '${name}' is included in the 'select' query parameter.`,
    }),
  responseHeaders: () =>
    refuse(
      500,
      'PGRST111',
      'response.headers guc must be a JSON array composed of objects with a single key and a string value',
    ),
  responseStatus: () => refuse(500, 'PGRST112', 'response.status guc must be a valid status code'),
  putLimit: () => refuse(400, 'PGRST114', 'limit/offset querystring parameters are not allowed for PUT'),
  putKeys: () => refuse(400, 'PGRST115', 'Payload values do not match URL in primary key column(s)'),
  notSingular: (rows: number | string) =>
    refuse(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
      details: `The result contains ${rows} rows`,
    }),
  method: (method: string) => refuse(405, 'PGRST117', `Unsupported HTTP method: ${method}`),
  relatedOrder: (origin: string, target: string) =>
    refuse(400, 'PGRST118', `A related order on '${target}' is not possible`, {
      details: `'${origin}' and '${target}' do not form a many-to-one or one-to-one relationship`,
    }),
  orderBySelected: (embed: string, column: string) =>
    refuse(400, '42703', `column ${embed}.${column} does not exist`, {
      hint: `Rows can be ordered by the columns that '${embed}' selects: add ${column} to '${embed}(...)'.`,
    }),
  repeatedEmbed: (label: string) =>
    refuse(400, '42712', `'${label}' is embedded more than once under the same name`, {
      hint: `Give each of them an alias, as in 'first:${label}!constraint(...),second:${label}!other_constraint(...)'.`,
    }),
  embedFilter: (target: string) =>
    refuse(400, 'PGRST120', `Bad operator on the '${target}' embedded resource`, {
      details: 'Only is null or not is null filters are allowed on embedded resources',
    }),
  raise: (details: string, hint: string) =>
    refuse(500, 'PGRST121', 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error', { details, hint }),
  preferences: (invalid: readonly string[]) =>
    refuse(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
      details: `Invalid preferences: ${invalid.join(', ')}`,
    }),
  embedDepth: (depth: number, most: number) =>
    refuse(400, '54001', `The request embeds ${depth} levels deep; at most ${most} are allowed.`, {
      hint: 'Request the inner resources separately.',
    }),
  embeds: (count: number, most: number) =>
    refuse(400, '54001', `The request embeds ${count} resources; at most ${most} are allowed.`, {
      hint: 'Request some of them separately.',
    }),
  describedAnonymously: () =>
    refuse(401, '42501', 'The API description requires the service key', {
      hint: 'Send the service key as apikey. The operator can open it to all with API_OPENAPI=everyone.',
    }),
  describedToService: () =>
    refuse(403, '42501', 'The API description requires the service key', {
      hint: 'Send the service key as apikey. The operator can open it to all with API_OPENAPI=everyone.',
    }),
  noDescription: () => refuse(404, 'PGRST126', 'Root endpoint metadata is disabled'),
  aggregates: () => refuse(400, 'PGRST123', 'Use of aggregate functions is not allowed'),
  maxAffected: (rows: number | string) =>
    refuse(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', {
      details: `The query affects ${rows} rows`,
    }),
  path: () => refuse(404, 'PGRST125', 'Invalid path specified in request URL'),
  notImplemented: (details: string) => refuse(400, 'PGRST127', 'Feature not implemented', { details }),
  maxAffectedRpc: () =>
    refuse(
      400,
      'PGRST128',
      'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    ),
  noRelationship: (parent: string, child: string, hint: string | undefined, schema: string, suggestion?: string) =>
    refuse(400, 'PGRST200', `Could not find a relationship between '${parent}' and '${child}' in the schema cache`, {
      details: `Searched for a foreign key relationship between '${parent}' and '${child}'${
        hint === undefined ? '' : ` using the hint '${hint}'`
      } in the schema '${schema}', but no matches were found.`,
      ...(suggestion !== undefined && { hint: suggestion }),
    }),
  ambiguousRelationship: (parent: string, child: string, details: unknown, candidates: string) =>
    refuse(
      300,
      'PGRST201',
      `Could not embed because more than one relationship was found for '${parent}' and '${child}'`,
      {
        // The one error whose details are a list; render-error.ts sends it as JSON.
        details: JSON.stringify(details),
        hint: `Try changing '${child}' to one of the following: ${candidates}. Find the desired relationship in the 'details' key.`,
      },
    ),
  noFunction: (message: string, details: string, hint: string | undefined) =>
    refuse(404, 'PGRST202', message, { details, ...(hint !== undefined && { hint }) }),
  ambiguousFunction: (candidates: readonly string[]) =>
    refuse(300, 'PGRST203', `Could not choose the best candidate function between: ${candidates.join(', ')}`, {
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    }),
  noColumn: (relation: string, column: string, nearest: string | undefined) =>
    refuse(400, 'PGRST204', `Could not find the '${column}' column of '${relation}' in the schema cache`, {
      ...(nearest !== undefined && { hint: `Perhaps you meant the column '${nearest}'` }),
    }),
  noTable: (schema: string, name: string, nearest: string | undefined) =>
    refuse(404, 'PGRST205', `Could not find the table '${schema}.${name}' in the schema cache`, {
      ...(nearest !== undefined && { hint: `Perhaps you meant the table '${schema}.${nearest}'` }),
    }),
} as const
