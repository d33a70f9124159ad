import { createHash } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import type { ApiOptions } from '../../http/api.ts'
import type { LinkTokens } from '../../storage/link-tokens.ts'
import { feedErrors } from '../errors.ts'
import { isKnown } from '../is-known.ts'
import { readAddress, readPrivateFeed } from '../private-feed.ts'
import { openFeed } from '../queries.ts'
import { buildNetworkNames } from '../reader-network.ts'
import { feedTypes } from '../render-feed.ts'
import type { Services } from '../services.ts'

/** Several apps that each look every few minutes. */
const readsOfFeed = { uses: 120, windowSeconds: 3600 }

type Options = ApiOptions<Services> & { readonly links: LinkTokens }

/**
 * `GET` and `HEAD /feeds/:token.xml` and `.json` (RSS-02). Nothing is compressed: an answer has its own secret address beside a text of the
 * creator, who could otherwise try to guess the secret by the length of answers (BREACH).
 */
export const privateFeedRoutes: FastifyPluginAsync<Options> = async (app, { services, links }) => {
  const { database, secrets, rateLimits, trustsProxy } = services
  const nameNetwork = buildNetworkNames(secrets.jwtSecret, trustsProxy)
  const ofFeed = rateLimits.named('private-feed', readsOfFeed)

  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'Cache-Control': 'private, no-cache',
      'X-Robots-Tag': 'noindex',
      'Referrer-Policy': 'no-referrer', // a link in a post would otherwise give its site the address
    })
  })

  // http/request-log.ts knows this pattern, and doesn't log the path.
  app.get<{ Params: { file: string } }>('/feeds/:file', async (request, reply) => {
    const address = readAddress(request.params.file)
    if (!address) throw feedErrors.noSuchFeed()
    const tokenHash = createHash('sha256').update(address.token).digest()
    const seconds = await ofFeed.take(tokenHash.toString('hex'))
    if (seconds > 0) throw feedErrors.tooManyReads(seconds)
    const opened = await openFeed(database.service, tokenHash, nameNetwork(request, tokenHash))
    const feed = opened && (await readPrivateFeed(services, links, opened, address))
    if (!feed) throw feedErrors.noSuchFeed()
    if (isKnown(request, reply, feed)) return reply.status(304).send()
    return reply.type(feedTypes[address.format]).send(await feed.render())
  })
}
