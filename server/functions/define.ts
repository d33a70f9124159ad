import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { isLoopback } from '../http/loopback.ts'
import type { CallerDb } from '../postgres/caller-db.ts'
import { type Fields, type Input, readInput } from './fields.ts'
import { type Requirement, requirements } from './requirements.ts'
import type { Services } from './services.ts'
import { type Person, requirePerson } from './signed-in-person.ts'
import { fromStripe } from './translate-stripe-errors.ts'

/** The input of a function: the caller, the fields, and the server's services. */
export type Call<Body> = {
  readonly person: Person
  readonly input: Body
  /** The database as the caller sees it. */
  readonly db: CallerDb
  readonly services: Services
  /** The site's origin in the caller's browser, without a trailing slash. */
  readonly siteOrigin: string
  readonly log: FastifyBaseLogger
}

export type ServerFunction = {
  readonly name: string
  handle(request: FastifyRequest, services: Services): Promise<unknown>
}

type Definition<F extends Fields> = {
  /** The name in the URL: `/functions/v1/{name}`. */
  readonly name: string
  /** Omitted if signing in is enough. The function's own SQL decides which rows the caller may act on. */
  readonly requires?: Requirement
  readonly fields: F
  /** Returns the response's body. */
  readonly run: (call: Call<Input<F>>) => Promise<unknown>
}

/** A function for signed-in users. The caller is checked first, so that others learn nothing about the fields. */
export function defineFunction<F extends Fields>({ name, requires, fields, run }: Definition<F>): ServerFunction {
  return {
    name,
    async handle(request, services) {
      const person = await requirePerson(request)
      const { db, log } = request
      if (requires) await requirements[requires]({ db, person, services })
      const input = readInput(fields, request.body)
      try {
        return await run({ person, input, db, services, siteOrigin: siteOriginOf(request, services), log })
      } catch (error) {
        throw fromStripe(error) ?? error
      }
    },
  }
}

/**
 * Links back to the site must use the browser's current origin, or the session wouldn't be there. Without SITE_URL, that may be
 * `localhost` or `127.0.0.1`, which are two origins. Any other `Host` is the caller's claim, and could lead
 * users elsewhere.
 */
function siteOriginOf({ protocol, host, hostname }: FastifyRequest, { config, siteUrl }: Services): string {
  return config.siteUrl ?? (isLoopback(hostname) ? `${protocol}://${host}` : siteUrl())
}
