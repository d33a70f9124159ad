import type { FastifyInstance } from 'fastify'
import { readBooks } from './billing/balance.ts'
import type { Context } from './context.ts'
import { sendError } from './http/api.ts'
import { requireTestKey } from './http/api-key.ts'
import { decodeForm } from './http/form.ts'
import { integer, readFields, required } from './http/params.ts'

export type ControlOptions = {
  contextOf: () => Context
  advanceClock: (seconds: number) => void
}

const tenYears = 10 * 366 * 86_400

/** What Stripe has no URL for: the clock and the books. On the loopback port only, with a test key. */
export async function control(app: FastifyInstance, { contextOf, advanceClock }: ControlOptions): Promise<void> {
  app.addHook('onRequest', async (request) => requireTestKey(request.headers.authorization))
  app.setErrorHandler((error, _request, reply) => sendError(error, reply))
  app.post('/clock/advance', (request) => {
    const body = decodeForm(typeof request.body === 'string' ? request.body : '')
    const { seconds } = readFields({ seconds: required(integer({ min: 0, max: tenYears })) }, body)
    advanceClock(seconds)
    return { object: 'sandbox.clock', now: contextOf().now }
  })
  app.get('/clock', () => ({ object: 'sandbox.clock', now: contextOf().now }))
  app.get('/books', () => ({ object: 'sandbox.books', currency: 'usd', ...readBooks(contextOf()) }))
}
