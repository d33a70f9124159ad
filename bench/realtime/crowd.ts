import { once } from 'node:events'
import { WebSocket } from 'ws'

type Frame = readonly [joinRef: string | null, ref: string | null, topic: string, event: string, payload: unknown]
export type Listener = (frame: Frame, now: number) => void

/** Milliseconds of the epoch, finer than Date.now(). */
export const now = () => performance.timeOrigin + performance.now()

/** One client with one socket, which does as little as possible: what it costs is not the server's. */
export class Client {
  readonly #socket: WebSocket
  readonly #answers = new Map<string, (status: string) => void>()
  listener: Listener = () => undefined
  isOpen = true
  #lastRef = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data, isBinary) => {
      const arrived = now()
      if (isBinary) return
      const frame = JSON.parse(String(data)) as Frame
      const [, ref, , event, payload] = frame
      if (event === 'phx_reply' && ref !== null) return this.#answers.get(ref)?.((payload as { status: string }).status)
      this.listener(frame, arrived)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => (this.isOpen = false))
  }

  static async open(url: string, key: string): Promise<Client> {
    const address = `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`
    const socket = new WebSocket(address, { perMessageDeflate: false, skipUTF8Validation: true })
    await once(socket, 'open')
    return new Client(socket)
  }

  /** @throws when the server refuses. */
  async ask(topic: string, event: string, payload: unknown): Promise<void> {
    const ref = String(++this.#lastRef)
    const answered = new Promise<string>((resolve) => this.#answers.set(ref, resolve))
    this.#socket.send(JSON.stringify([event === 'phx_join' ? ref : null, ref, topic, event, payload]))
    const status = await answered
    this.#answers.delete(ref)
    if (status !== 'ok') throw new Error(`${event} of ${topic}: ${status}`)
  }

  say(topic: string, event: string, payload: unknown) {
    this.#socket.send(JSON.stringify([null, null, topic, event, payload]))
  }

  close() {
    this.#socket.terminate()
  }
}

/** Does the same for each, so many at a time. */
export async function forEach<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<void>,
) {
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next++
      await work(items[index] as Item, index)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
