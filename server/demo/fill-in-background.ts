import type { Sandbox } from '@ovation/sandbox'
import type { FastifyBaseLogger } from 'fastify'
import type { Gateway } from '../gateway.ts'
import { fillDemo } from './history/fill.ts'

type BackgroundOptions = {
  readonly gateway: Gateway
  readonly ownerUrl: string
  readonly sandbox: Sandbox
  readonly log: FastifyBaseLogger
}

/**
 * Fills the demo while the product is in use already, and says when it is complete. Only then does the sandbox's clock go on. A stop
 * interrupts it; the next start goes on.
 */
export function fillInBackground({ log, ...options }: BackgroundOptions): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const filled = fillDemo({ ...options, signal: stopping.signal }).then(
    () => {
      options.sandbox.resumeClock()
      process.stdout.write('  The demo is complete: a year of payments, and what fans said about it.\n')
    },
    (err: unknown) => {
      if (!stopping.signal.aborted) log.error({ err }, 'the demo could not be completed')
    },
  )
  return {
    stop: () => {
      stopping.abort()
      return filled
    },
  }
}
