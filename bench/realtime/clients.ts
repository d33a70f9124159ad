import { once } from 'node:events'
import { WebSocket } from 'ws'

type Frame = readonly [joinRef: string | null, ref: string | null, topic: string, event: string, payload: unknown]
export type Listener = (frame: Frame, now: number) => void

/** Longer than any answer may take. */
const patienceMs = 20_000

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
    socket.on('close', () => {
      this.isOpen = false
      for (const answer of this.#answers.values()) answer('the connection has ended')
    })
  }

  /** @param from the address that a proxy would tell. */
  static async open(url: string, key: string, from?: string): Promise<Client> {
    const address = `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`
    const socket = new WebSocket(address, {
      perMessageDeflate: false,
      skipUTF8Validation: true,
      ...(from !== undefined && { headers: { 'x-forwarded-for': from } }),
    })
    await once(socket, 'open')
    return new Client(socket)
  }

  /** @throws when the server refuses, or says nothing for long. */
  async ask(topic: string, event: string, payload: unknown): Promise<void> {
    const ref = String(++this.#lastRef)
    const status = await new Promise<string>((resolve) => {
      const patience = setTimeout(resolve, patienceMs, 'no answer')
      this.#answers.set(ref, (said) => {
        clearTimeout(patience)
        resolve(said)
      })
      this.#socket.send(JSON.stringify([event === 'phx_join' ? ref : null, ref, topic, event, payload]))
    })
    this.#answers.delete(ref)
    if (status !== 'ok') throw new Error(`${event} of ${topic}: ${status}`)
  }

  /** Bytes that wait for the server to read them. */
  get unsent(): number {
    return this.#socket.bufferedAmount
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
