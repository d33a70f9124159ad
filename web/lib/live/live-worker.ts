import { RealtimeClient } from '@supabase/realtime-js'
import type { Channel } from './live.ts'
import { LiveHub } from './live-hub.ts'
import type { FromTab, FromWorker } from './worker-protocol.ts'

/** Runs as a shared worker: one socket for all tabs of this browser, while any of them is open. */

let token = ''
let client: RealtimeClient | undefined
let hub: LiveHub | undefined

function start({ address, key }: Extract<FromTab, { type: 'start' }>): LiveHub {
  client = new RealtimeClient(address, { params: { apikey: key }, accessToken: async () => token })
  return new LiveHub(client)
}

/** Serves one tab until it closes. */
function serve(port: MessagePort) {
  const channels = new Map<number, Channel>()
  const leaves = new Map<number, () => void>()
  const tell = (message: FromWorker) => port.postMessage(message)

  function take(live: LiveHub, message: FromTab) {
    switch (message.type) {
      case 'listen': {
        const { id, what } = message
        leaves.set(
          id,
          live.listen(what, () => tell({ type: 'change', id })),
        )
        break
      }
      case 'join': {
        const { id, topic, key } = message
        const channel = live.join(topic, key, {
          onBroadcast: (event, payload) => tell({ type: 'broadcast', id, event, payload }),
          onPresent: (present) => tell({ type: 'present', id, present }),
        })
        channels.set(id, channel)
        leaves.set(id, () => channel.leave())
        break
      }
      case 'broadcast':
        channels.get(message.id)?.broadcast(message.event, message.payload)
        break
      case 'track':
        channels.get(message.id)?.track(message.state)
        break
      case 'leave':
        leaves.get(message.id)?.()
        leaves.delete(message.id)
        channels.delete(message.id)
    }
  }

  port.onmessage = ({ data }: MessageEvent<FromTab>) => {
    if (data.type === 'start' || data.type === 'token') {
      token = data.token
      if (data.type === 'token') void client?.setAuth()
      else {
        hub ??= start(data)
        // A port doesn't report that its tab closed; the tab's lock does.
        void navigator.locks.request(data.lock, () => {
          for (const leave of leaves.values()) leave()
          port.close()
        })
      }
    } else if (hub) take(hub, data)
  }
}

addEventListener('connect', (event) => {
  if (event instanceof MessageEvent && event.ports[0]) serve(event.ports[0])
})
