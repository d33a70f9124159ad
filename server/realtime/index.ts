import { buildDoor } from '../http/door.ts'
import { Listener } from '../postgres/listener.ts'
import { broadcastRoutes } from './broadcast-routes.ts'
import { ChangeFeed } from './change-feed.ts'
import { buildForgetJob } from './forget-job.ts'
import { fromDatabase } from './from-database.ts'
import { Hub } from './hub.ts'
import { RateMeter } from './rate-meter.ts'
import { Relay } from './relay.ts'
import { renderError } from './render-error.ts'
import { WebSocketDoor } from './websocket.ts'

/**
 * `/realtime/v1`: row changes, broadcasts and presence over a websocket that speaks Phoenix' protocol (API-RT). Row changes come
 * from the write-ahead log; the database is asked, as the receiver, before each delivery.
 */
export const realtimeDoor = buildDoor({
  renderError,
  fromDatabase,
  async routes(app, { callers, config, database, background, jobs, redis, log }) {
    jobs.add(buildForgetJob(background.service))
    const hub = new Hub()
    const relay = redis && new Relay({ redis, hub, log })
    if (relay) {
      hub.connect(relay)
      await relay.start()
    }
    const feed = new ChangeFeed({ database, hub, log })
    const { maxConnections, maxJoinsPerSecond, maxEventsPerSecond } = config.realtime
    const meters = { joins: meter(maxJoinsPerSecond), events: meter(maxEventsPerSecond) }
    const door = new WebSocketDoor({ callers, service: database.service, hub, feed, log, meters }, maxConnections)
    door.listen(app.server)
    // Row changes are asked for anew each time; what was allowed once, when a room was joined, ends here.
    const suspensions = new Listener({
      ownerUrl: database.ownerUrl,
      channel: 'ovation_suspensions',
      log,
      onNotification: (userId) => userId && door.endOf(userId, 'Your account is suspended'),
    })
    await suspensions.listen()
    // Before Fastify waits for the server to close, which open sockets would hold up.
    app.addHook('preClose', async () => {
      await relay?.stop() // one goodbye for all who are here
      door.close()
      await suspensions.close()
      await feed.stop()
    })
    await app.register(broadcastRoutes, { hub, service: database.service, events: meters.events })
  },
})

/** So many a second, and twice as many at once. */
const meter = (perSecond: number) => new RateMeter(perSecond, 2 * perSecond)
