import { apiUrl, publicKey } from '../api/api-url.ts'
import { accessToken } from '../api/supabase.ts'
import { onAuthStateChange } from '../auth/auth-client.ts'
import type { Channel, ChannelListener, Listened, Live } from './live.ts'
import type { FromTab, FromWorker } from './worker-protocol.ts'

type Listener = { onChange?: () => void; channel?: ChannelListener }

/** Whether this browser's tabs can share one socket. */
export const canShare = (): boolean => typeof SharedWorker !== 'undefined' && 'locks' in navigator

/** Live updates through the worker that all tabs share (live-worker.ts). */
export class SharedLive implements Live {
  readonly #port: MessagePort
  readonly #listeners = new Map<number, Listener>()
  readonly #started: Promise<void>
  #lastId = 0

  constructor() {
    // A separate module whose name contains its hash: tabs from before an update keep their worker.
    const worker = new SharedWorker(new URL('./live-worker.ts', import.meta.url), { type: 'module', name: 'live' })
    this.#port = worker.port
    this.#port.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data)
    this.#started = this.#start()
    onAuthStateChange((_event, session) => {
      void this.#send({ type: 'token', token: session?.access_token ?? publicKey() })
    })
  }

  listen(what: Listened, onChange: () => void): () => void {
    const id = this.#add({ onChange })
    void this.#send({ type: 'listen', id, what })
    return () => this.#leave(id)
  }

  join(topic: string, key: string, listener: ChannelListener): Channel {
    const id = this.#add({ channel: listener })
    void this.#send({ type: 'join', id, topic, key })
    return {
      broadcast: (event, payload) => void this.#send({ type: 'broadcast', id, event, payload }),
      track: (state) => void this.#send({ type: 'track', id, state }),
      leave: () => this.#leave(id),
    }
  }

  async #start() {
    const lock = `live-tab-${crypto.randomUUID()}`
    // Held while the tab lives: the callback's promise never settles.
    await new Promise<void>((held) => {
      void navigator.locks.request(lock, () => {
        held()
        return new Promise(() => undefined)
      })
    })
    const address = apiUrl('realtime').replace(/^http/, 'ws')
    const start: FromTab = { type: 'start', address, key: publicKey(), token: await accessToken(), lock }
    this.#port.postMessage(start)
  }

  async #send(message: FromTab) {
    await this.#started
    this.#port.postMessage(message)
  }

  #add(listener: Listener): number {
    const id = ++this.#lastId
    this.#listeners.set(id, listener)
    return id
  }

  #leave(id: number) {
    if (this.#listeners.delete(id)) void this.#send({ type: 'leave', id })
  }

  #hear(message: FromWorker) {
    const listener = this.#listeners.get(message.id)
    if (message.type === 'change') listener?.onChange?.()
    else if (message.type === 'broadcast') listener?.channel?.onBroadcast(message.event, message.payload)
    else listener?.channel?.onPresent(message.present)
  }
}
