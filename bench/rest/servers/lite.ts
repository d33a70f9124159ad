import { jwtVerify } from 'jose'
import { App, createPostgresConnection, serve } from '../../../compared-gateways/lite.ts'
import type { StartServer } from '../server-process.ts'

/**
 * `@supabase/lite` on its PostgreSQL backend, served with Node as its documents say (`docs/integrations/embedded.mdx`). A person's
 * token comes in place of a key: so it verifies each once, as the gateway does, where its own way also looks the person up.
 */
export const startServer: StartServer = async ({ ownerUrl, jwtSecret, schemas }) => {
  const secret = new TextEncoder().encode(jwtSecret)
  const verified = new Map<string, Record<string, unknown>>()
  const app = new App({
    connection: createPostgresConnection({ url: ownerUrl }),
    api: { enabled: true, schemas: [...schemas], extra_search_path: ['public', 'extensions'], max_rows: 1000 },
    auth: { enabled: false },
    storage: { enabled: false },
    studio: { enabled: false },
    options: {
      server: {
        disableStudio: true,
        apiKeys: {
          async resolver(key) {
            const claims = verified.get(key) ?? (await jwtVerify(key, secret)).payload
            verified.set(key, claims)
            return { type: 'publishable', claims }
          },
        },
      },
    },
  })
  await app.init()
  return new Promise((resolve) => {
    serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.fetch(request) }, ({ port }) =>
      resolve({ url: `http://127.0.0.1:${port}/rest/v1` }),
    )
  })
}
