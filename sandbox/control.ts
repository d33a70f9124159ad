import type { FastifyInstance } from 'fastify'
import { readBooks } from './billing/balance.ts'
import { openDispute } from './billing/dispute.ts'
import type { Context } from './context.ts'
import { sendError } from './http/api.ts'
import { requireTestKey } from './http/api-key.ts'
import { decodeForm } from './http/form.ts'
import { fromParam } from './http/lookup.ts'
import { integer, readFields, required, string } from './http/params.ts'

export type ControlOptions = {
  contextOf: () => Context
  advanceClock: (seconds: number) => void
  /** Called after something has happened, to send its webhooks. */
  committed: () => void
}

const formOf = (body: unknown) => decodeForm(typeof body === 'string' ? body : '')

const tenYears = 10 * 366 * 86_400

/** What Stripe has no URL for: the clock, what a bank does, and the books. On the loopback port only, with a test key. */
export async function control(
  app: FastifyInstance,
  { contextOf, advanceClock, committed }: ControlOptions,
): Promise<void> {
  app.addHook('onRequest', async (request) => requireTestKey(request.headers.authorization))
  app.setErrorHandler((error, _request, reply) => sendError(error, reply))
  app.post('/clock/advance', (request) => {
    const { seconds } = readFields({ seconds: required(integer({ min: 0, max: tenYears })) }, formOf(request.body))
    advanceClock(seconds)
    return { object: 'sandbox.clock', now: contextOf().now }
  })
  app.get('/clock', () => ({ object: 'sandbox.clock', now: contextOf().now }))
  app.post('/disputes', (request) => {
    const { charge } = readFields({ charge: required(string()) }, formOf(request.body))
    const context = contextOf()
    const dispute = context.store.transaction(() =>
      openDispute(context, fromParam(context, 'charge', charge, 'charge')),
    )
    committed()
    return dispute
  })
  app.get('/books', () => ({ object: 'sandbox.books', currency: 'usd', ...readBooks(contextOf()) }))
}
