import { connect, type Socket } from 'node:net'

/** Something that answers: a gateway over HTTP, or PostgreSQL itself. */
export type Target = {
  /** Has so many requests under way at a time, for so long. @throws an Error for any answer that is no success. */
  run(seconds: number, latencies: Latencies): Promise<void>
  close(): void
}

/** Hundredths of a millisecond up to ten seconds, counted. */
export class Latencies {
  readonly #counts = new Uint32Array(1_000_000)
  count = 0

  add(ms: number) {
    const slot = Math.min(this.#counts.length - 1, Math.floor(ms * 100))
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1
    this.count += 1
  }

  quantile(share: number): number {
    let left = this.count * share
    for (let slot = 0; slot < this.#counts.length; slot++) {
      left -= this.#counts[slot] ?? 0
      if (left <= 0) return (slot + 0.5) / 100
    }
    return 0
  }
}

/**
 * Sends requests over kept connections, on each the next when the answer to the last is complete.
 *
 * Our own because it shares the machine with what it measures: autocannon spends more on a request than the quickest contender does.
 * This one finds the status and the end of an answer, and no more.
 * @param requests whole, as they go over the wire; each connection goes round them from a place of its own.
 */
export async function openHttpTarget(url: string, connections: number, requests: readonly Buffer[]): Promise<Target> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(url)))
  const next = open.map((_, index) => index * 31)
  return {
    async run(seconds, latencies) {
      const end = performance.now() + seconds * 1000
      await Promise.all(
        open.map(
          (connection, index) =>
            new Promise<void>((resolve, reject) => {
              let sentAt = 0
              const send = () => {
                sentAt = performance.now()
                if (sentAt >= end) return resolve()
                next[index] = ((next[index] ?? 0) + 1) % requests.length
                connection.send(requests[next[index] ?? 0] as Buffer, take)
              }
              const take = (failure: Error | undefined, status: number, answer: Buffer) => {
                if (failure) return reject(failure)
                if (status > 299) return reject(new Error(`${status}: ${answer.toString('latin1')}`))
                latencies.add(performance.now() - sentAt)
                send()
              }
              send()
            }),
        ),
      )
    },
    close() {
      for (const connection of open) connection.close()
    },
  }
}

type Take = (failure: Error | undefined, status: number, answer: Buffer) => void

/** One kept connection with one request under way at a time. */
export class Connection {
  #socket: Socket | undefined
  /** What came of an answer that is not whole yet. */
  #received: Buffer | undefined
  #take: Take | undefined
  /** Whether this is a HEAD request, whose response has a length but no body. */
  #wantsHead = false

  static open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url)
    const connection = new Connection()
    return new Promise((resolve, reject) => {
      const buffer = Buffer.allocUnsafe(65_536)
      const socket = connect({
        host: hostname,
        port: Number(port),
        noDelay: true,
        // Reads into the one buffer, instead of making one for each piece.
        onread: {
          buffer,
          callback: (length) => {
            connection.#read(buffer.subarray(0, length))
            return true
          },
        },
      })
      socket.once('connect', () => resolve(connection))
      socket.on('error', (error) => {
        reject(error)
        connection.#fail(error)
      })
      socket.on('close', () => connection.#fail(new Error('The server closed the connection')))
      connection.#socket = socket
    })
  }

  /** @param take gets an answer that is its own only for the time of the call. */
  send(request: Buffer, take: Take) {
    this.#take = take
    this.#wantsHead = request[0] === 0x48
    this.#socket?.write(request)
  }

  /** The whole response, for debugging. */
  ask(request: Buffer): Promise<{ status: number; head: string; body: string }> {
    return new Promise((resolve, reject) =>
      this.send(request, (failure, status, answer) => {
        if (failure) return reject(failure)
        const head = answer.toString('latin1', 0, answer.indexOf('\r\n\r\n'))
        resolve({ status, head, body: this.#wantsHead ? '' : readBody(answer) })
      }),
    )
  }

  get isOpen(): boolean {
    return this.#socket !== undefined && !this.#socket.closed
  }

  close() {
    this.#take = undefined
    this.#socket?.destroy()
  }

  #fail(error: Error) {
    this.#take?.(error, 0, Buffer.alloc(0))
  }

  #read(piece: Buffer) {
    const answer = this.#received ? Buffer.concat([this.#received, piece]) : piece
    const headEnd = answer.indexOf('\r\n\r\n')
    if (headEnd < 0 || !(this.#wantsHead || isWhole(answer, headEnd))) {
      this.#received = this.#received ? answer : Buffer.from(piece)
      return
    }
    this.#received = undefined
    const status = ((answer[9] ?? 0) - 48) * 100 + ((answer[10] ?? 0) - 48) * 10 + (answer[11] ?? 0) - 48
    this.#take?.(undefined, status, answer)
  }
}

function isWhole(answer: Buffer, headEnd: number): boolean {
  const length = contentLength(answer, headEnd)
  if (length !== undefined) return answer.length >= headEnd + 4 + length
  // An answer without a length comes in chunks and ends with an empty one, or it is a 204 and has nothing behind its head.
  return answer.length === headEnd + 4
    ? answer.subarray(9, 12).equals(noContent)
    : answer.subarray(-5).equals(lastChunk)
}
const noContent = Buffer.from('204')
const lastChunk = Buffer.from('0\r\n\r\n')

function contentLength(answer: Buffer, headEnd: number): number | undefined {
  let at = answer.indexOf('ontent-length: ')
  if (at < 0 || at > headEnd) at = answer.indexOf('ontent-Length: ')
  if (at < 0 || at > headEnd) return undefined
  let length = 0
  for (let index = at + 15; ; index++) {
    const digit = (answer[index] ?? 0) - 48
    if (digit < 0 || digit > 9) return length
    length = length * 10 + digit
  }
}

function readBody(answer: Buffer): string {
  const headEnd = answer.indexOf('\r\n\r\n')
  if (contentLength(answer, headEnd) !== undefined) return answer.toString('utf8', headEnd + 4)
  const pieces: Buffer[] = []
  for (let at = headEnd + 4; ; ) {
    const lineEnd = answer.indexOf('\r\n', at)
    const size = Number.parseInt(answer.toString('latin1', at, lineEnd), 16)
    if (!(size > 0)) return Buffer.concat(pieces).toString('utf8')
    pieces.push(answer.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}

export function renderRequest(
  url: string,
  {
    method,
    path,
    headers,
    body,
  }: { method: string; path: string; headers: Record<string, string>; body?: string | Buffer },
): Buffer {
  const { host, pathname } = new URL(url)
  const lines = [
    `${method} ${pathname.replace(/\/$/, '')}${path} HTTP/1.1`,
    `host: ${host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
  return body === undefined ? head : Buffer.concat([head, Buffer.from(body)])
}
