import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, renderRequest } from '../rest/load.ts'
import type { Outcome, Results } from './results.ts'

/** Longer than any answer may take. */
const patienceMs = 20_000
/** The server closes connections after 72 idle seconds. A request at that moment fails, and a browser would retry it silently. */
const freshMs = 30_000

export type Ask = {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  /** With its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Statuses beside 2xx that are an answer. */
  readonly accepts?: readonly number[]
}

/** The visitor gives up what they were about: a later request of theirs would need this answer. */
export class GaveUp extends Error {}

/**
 * Requests over as many connections as it takes, the one that was used last first. It shares the machine with what it measures, so
 * it does as little as it can: `Connection` finds the end of an answer, and what is not looked into stays bytes.
 */
export class Connections {
  readonly #url: string
  readonly #idle: { readonly connection: Connection; readonly since: number }[] = []
  /** Where results go: another one for each stretch of time. */
  results: Results

  constructor(url: string, results: Results) {
    this.#url = url
    this.results = results
  }

  /** @returns the JSON of the answer, undefined when there is none. @throws GaveUp when it was refused or failed, after it was counted. */
  async ask(kind: string, ask: Ask): Promise<unknown> {
    const { results } = this
    const startedAt = performance.now()
    const count = (outcome: Outcome, words?: string) => results.add(kind, outcome, performance.now() - startedAt, words)
    try {
      const { status, head, body } = await this.#exchange(render(this.#url, ask))
      if (status < 300 || ask.accepts?.includes(status)) {
        count('answered')
        return /content-type: application\/(vnd\.pgrst\.object\+)?json/i.test(head) && body ? JSON.parse(body) : body
      }
      if (isPolite(ask.path, status, head, body)) count('refused')
      else count('error', `${kind}: ${status} ${body.slice(0, 200)}`)
      throw new GaveUp()
    } catch (error) {
      if (!(error instanceof GaveUp)) count('error', `${kind}: ${(error as Error).message}`)
      throw new GaveUp()
    }
  }

  async #exchange(request: Buffer) {
    const connection = this.#takeIdle() ?? (await Connection.open(this.#url))
    const patience = new AbortController()
    try {
      const answer = await Promise.race([
        connection.ask(request),
        sleep(patienceMs, undefined, { signal: patience.signal, ref: false }).then(() => {
          throw new Error(`no answer within ${patienceMs / 1000} s`)
        }),
      ])
      this.#idle.push({ connection, since: performance.now() })
      return answer
    } catch (error) {
      connection.close()
      throw error
    } finally {
      patience.abort()
    }
  }

  #takeIdle(): Connection | undefined {
    for (;;) {
      const last = this.#idle.pop()
      if (!last) return undefined
      if (last.connection.isOpen && performance.now() - last.since < freshMs) return last.connection
      last.connection.close()
    }
  }

  close() {
    for (const { connection } of this.#idle) connection.close()
  }
}

function render(url: string, { body, headers, ...ask }: Ask): Buffer {
  if (body === undefined) return renderRequest(url, { ...ask, headers: { ...headers } })
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  return renderRequest(url, { ...ask, headers: { 'content-type': 'application/json', ...headers }, body: bytes })
}

/** A 429 or 503 with Retry-After in its API's format, from which the official client makes an error that users understand. */
function isPolite(path: string, status: number, head: string, body: string): boolean {
  if ((status !== 503 && status !== 429) || !/^retry-after: \d+/im.test(head)) return false
  const api = path.split('/')[1] ?? ''
  const fields = shapes[api]
  if (!fields) return true // a page
  if (body === '') return true // HEAD has none
  const said = JSON.parse(body) as Record<string, unknown>
  return fields.every((name) => name in said)
}

const shapes: Readonly<Record<string, readonly string[]>> = {
  rest: ['code', 'message', 'details', 'hint'],
  auth: ['code', 'message'],
  storage: ['statusCode', 'error', 'message'],
  functions: ['success', 'error', 'code'],
  realtime: ['code', 'message'],
}
