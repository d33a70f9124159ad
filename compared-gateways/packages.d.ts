/** What we use of the other gateways, so that types can be checked before they are installed. */
declare module '@supabase/lite' {
  type Caller = { readonly type: 'publishable'; readonly claims: Readonly<Record<string, unknown>> }
  type Part = { readonly enabled: boolean }
  export class App {
    constructor(options: {
      readonly connection: import('@supabase/lite/postgres').PostgresConnection
      readonly api: Part & {
        readonly schemas: readonly string[]
        readonly extra_search_path: readonly string[]
        readonly max_rows: number
        readonly aggregates_enabled?: boolean
      }
      readonly auth: Part
      readonly storage: Part
      readonly studio: Part
      readonly options: {
        readonly server: {
          readonly disableStudio: boolean
          readonly forceRollback?: boolean
          readonly apiKeys: { resolver(key: string): Promise<Caller> }
        }
      }
    })
    init(): Promise<void>
    fetch(request: Request): Response | Promise<Response>
  }
}

declare module '@supabase/lite/postgres' {
  export type PostgresConnection = { close(): Promise<void> }
  export function createPostgresConnection(options: {
    readonly url: string
    readonly postgresOptions?: { readonly max: number; readonly onnotice: () => void }
  }): PostgresConnection
}

declare module '@hono/node-server' {
  export function serve(
    options: {
      readonly port: number
      readonly hostname: string
      readonly fetch: (request: Request) => Response | Promise<Response>
    },
    onListen: (address: { readonly port: number }) => void,
  ): unknown
}

declare module '@dataplan/pg/adaptors/pg' {
  export function makePgService(options: {
    readonly connectionString: string
    readonly schemas: readonly string[]
  }): object
}

declare module 'grafserv/node' {
  export const grafserv: object
}

declare module 'postgraphile' {
  export function postgraphile(preset: {
    readonly extends: readonly object[]
    readonly pgServices: readonly object[]
    readonly schema: { readonly defaultBehavior: string }
    readonly disablePlugins: readonly string[]
    readonly grafast: {
      readonly explain: boolean
      context(request: { readonly node?: { readonly req: import('node:http').IncomingMessage } }): Promise<{
        readonly pgSettings: Readonly<Record<string, string>>
      }>
    }
    readonly grafserv: { readonly graphiql: boolean; readonly watch: boolean }
  }): { createServ(adaptor: object): { addTo(server: import('node:http').Server): Promise<void> } }
}

declare module 'postgraphile/presets/amber' {
  export const PostGraphileAmberPreset: object
}
