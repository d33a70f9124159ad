import { buildApi } from '../http/api.ts'
import { Listener } from '../postgres/listener.ts'
import { Allowances } from './allowances.ts'
import { broadcastRoutes } from './broadcast-routes.ts'
import { ChangeDelivery } from './change-delivery.ts'
import { fromDatabase } from './from-database.ts'
import { Hub } from './hub.ts'
import { Relay } from './relay.ts'
import { renderError } from './render-error.ts'
import type { Services } from './services.ts'
import { WebSocketApi } from './websocket.ts'

/**
 * `/realtime/v1`: row changes, broadcasts, and presence over a websocket with Phoenix' protocol (API-RT). Row changes come
 * from the write-ahead log; before each delivery, a query as the receiver checks the permission.
 */
export const realtimeApi = buildApi<Services>({
  renderError,
  fromDatabase,
  async routes(app, { callers, trustsProxy, config, database, exchange, realtime, log }) {
    const allowances = new Allowances(config.realtime, trustsProxy)
    const hub = new Hub()
    const relay = exchange && new Relay({ exchange, hub, allowances, log })
    if (relay) {
      hub.connect(relay)
      await relay.start()
    }
    const changes = new ChangeDelivery({ database, hub, log, exchange, status: realtime })
    const api = new WebSocketApi({ callers, service: database.service, hub, changes, log, allowances }, trustsProxy)
    realtime.watch(
      () => changes.state,
      () => ({ connections: api.connectionCount, rooms: hub.roomCount }),
    )
    api.listen(app.server)
    // Permissions on row changes are checked every time; those from a join end here.
    const suspensions = new Listener({
      ownerUrl: database.ownerUrl,
      channel: 'ovation_suspensions',
      log,
      onNotification: (userId) => userId && api.endOf(userId, 'Your account is suspended'),
    })
    await suspensions.listen()
    // Runs before Fastify waits for the server to close, because open sockets would delay that.
    app.addHook('preClose', async () => {
      await relay?.stop() // one announcement for all clients of this node
      api.close()
      await suspensions.close()
      await changes.stop()
    })
    await app.register(broadcastRoutes, { hub, service: database.service, allowances })
  },
})
