import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openLimit } from '../limit.ts'
import type { StartServer } from '../server-process.ts'
import { workloads } from '../workloads.ts'

/**
 * The limit behind Node's own HTTP server and nothing else: no tokens, no grammar, no rules, two headers. `GET /{workload}/{n}/{caller}`.
 * What is between it and the limit is HTTP's; what is between the gateway and it, is ours.
 */
export const startServer: StartServer = async ({ ownerUrl, databaseConnections }) => {
  const limit = openLimit(ownerUrl, databaseConnections)
  const server = createServer(async ({ url = '' }, response) => {
    const [, index, n, callerId = ''] = url.split('/')
    const body = await limit.body(workloads[Number(index)] as (typeof workloads)[number], Number(n), callerId)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
  })
}
