import { createHash } from 'node:crypto'
import type { Store } from '../store/store.ts'
import { errors } from './errors.ts'

const keptForMs = 24 * 60 * 60 * 1000
const longestKey = 255

export type Answer = { status: number; body: object }
export type KeyedRequest = { account: string; key: string; method: string; path: string; body: string }

const fingerprintOf = ({ method, path, body }: KeyedRequest) =>
  createHash('sha256').update(`${method} ${path}\n${body}`).digest('hex')

/**
 * The answer that was given to this key before, if there was one.
 * @param now unix seconds of the sandbox's clock: a key is forgotten after a day of it.
 * @throws 400 `idempotency_error` when the key came with another request.
 */
export function replay(store: Store, request: KeyedRequest, now: number): Answer | undefined {
  if (request.key.length > longestKey) throw errors.keyTooLong()
  store.prepare('delete from idempotency where created_ms < ?').run(now * 1000 - keptForMs)
  const row = store
    .prepare('select fingerprint, status, body from idempotency where account = ? and key = ?')
    .get(request.account, request.key) as { fingerprint: string; status: number; body: string } | undefined
  if (!row) return undefined
  if (row.fingerprint !== fingerprintOf(request)) throw errors.idempotencyMismatch(request.key)
  return { status: row.status, body: JSON.parse(row.body) }
}

/** Keeps an answer in the same transaction as the work it speaks of. Parameters that can't be read leave nothing: nothing ran. */
export function remember(store: Store, request: KeyedRequest, answer: Answer, now: number): void {
  store
    .prepare('insert into idempotency values (?, ?, ?, ?, ?, ?)')
    .run(request.account, request.key, fingerprintOf(request), answer.status, JSON.stringify(answer.body), now * 1000)
}
