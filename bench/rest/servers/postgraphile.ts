import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jwtVerify } from 'jose'
import {
  grafserv,
  makePgService,
  PostGraphileAmberPreset,
  postgraphile,
} from '../../../compared-gateways/postgraphile.ts'
import type { StartServer } from '../server-process.ts'

/** PostGraphile 5 with its standard preset on Node's own server, role and claims set for each request as its documents say. */
export const startServer: StartServer = async ({ ownerUrl, jwtSecret, schemas }) => {
  const secret = new TextEncoder().encode(jwtSecret)
  // A verified token is kept, as the gateway keeps it: what is compared is how rows are served.
  const verified = new Map<string, Record<string, string>>()
  async function settingsOf(authorization: string): Promise<Record<string, string>> {
    const known = verified.get(authorization)
    if (known) return known
    const { payload } = await jwtVerify(authorization.replace(/^Bearer /, ''), secret)
    const settings = { role: String(payload.role), 'request.jwt.claims': JSON.stringify(payload) }
    verified.set(authorization, settings)
    return settings
  }
  const instance = postgraphile({
    extends: [PostGraphileAmberPreset],
    pgServices: [makePgService({ connectionString: ownerUrl, schemas: [...schemas] })],
    schema: { defaultBehavior: '+list' },
    // It hides conditions on columns without an index; one of the workloads has such a condition.
    disablePlugins: ['PgIndexBehaviorsPlugin'],
    grafast: {
      explain: false,
      async context({ node }) {
        return { pgSettings: await settingsOf(node?.req.headers.authorization ?? '') }
      },
    },
    grafserv: { graphiql: false, watch: false },
  })
  const server = createServer()
  await instance.createServ(grafserv).addTo(server)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql` }),
    )
  })
}
