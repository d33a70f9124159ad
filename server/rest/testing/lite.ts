import { installComparedGateways } from '../../../compared-gateways/install-compared-gateways.ts'
import { createEmptyDatabase } from '../../testing/database.ts'
import { librarySchema } from './library.ts'

export type Lite = {
  /** Answers as the role, and rolls back all writes. */
  fetch(role: 'anon' | 'authenticated', path: string, init: RequestInit): Promise<Response>
  close(): Promise<void>
}

/** The parts of the product's databases that the library needs. */
const ground = `
  create schema auth;
  create schema extensions;
  create function auth.role() returns text language sql stable
    as $$ select current_setting('request.jwt.claims', true)::json ->> 'role' $$;
  grant usage on schema auth to anon, authenticated, service_role;`

/** `@supabase/lite` on its PostgreSQL backend, with the same library in a separate database. */
export async function openLite(): Promise<Lite> {
  await installComparedGateways()
  const { App, createPostgresConnection } = await import('../../../compared-gateways/lite.ts')
  const database = await createEmptyDatabase()
  await database.query(ground)
  await database.query(librarySchema)
  const connection = createPostgresConnection({
    url: database.ownerUrl,
    postgresOptions: { max: 2, onnotice: () => undefined },
  })
  const app = new App({
    connection,
    api: {
      enabled: true,
      schemas: ['library'],
      extra_search_path: ['public', 'extensions'],
      max_rows: 1000,
      aggregates_enabled: true,
    },
    auth: { enabled: false },
    storage: { enabled: false },
    studio: { enabled: false },
    options: {
      server: {
        disableStudio: true,
        forceRollback: true,
        // The key is the role itself: the caller is known before rest/v1 begins.
        apiKeys: { resolver: async (key) => ({ type: 'publishable', claims: { role: key, sub: reader } }) },
      },
    },
  })
  await app.init()
  return {
    fetch: async (role, path, init) => {
      const headers = new Headers(init.headers)
      headers.set('apikey', role)
      return app.fetch(new Request(`http://127.0.0.1/rest/v1${path}`, { ...init, headers }))
    },
    close: async () => {
      await connection.close()
      await database.drop()
    },
  }
}

/** The same user as `Library.readerToken` is for. */
const reader = '00000000-0000-0000-0000-000000000001'
