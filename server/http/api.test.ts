import { fastify } from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import type { AllServices } from '../all-services.ts'
import { buildApi } from './api.ts'
import { errors } from './errors.ts'

const said: { level: number; msg: string; refused?: number }[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void said.push(JSON.parse(line)) })
afterEach(() => void said.splice(0))

/** An API whose handler always does the same thing. */
async function ask(thrown: Error, times = 1) {
  const app = fastify({ loggerInstance: log })
  const routes = async (scope: typeof app) => {
    scope.get('/', async () => {
      throw thrown
    })
  }
  const renderError = ({ status, code }: { status: number; code: string }) => ({ status, body: { code } })
  const api = buildApi({ renderError, fromDatabase: () => undefined, routes: (scope) => routes(scope as never) })
  await app.register(api, { services: { log } as unknown as AllServices })
  const answers = []
  for (let time = 0; time < times; time++) answers.push(await app.inject('/'))
  await app.close()
  return answers
}

describe('an API', () => {
  it.each(['53300', '57P01', '57P03', '08006'])(
    'returns "try again later" while PostgreSQL is unavailable: %s',
    async (code) => {
      const [answer] = await ask(Object.assign(new pg.DatabaseError('away', 1, 'error'), { code }))
      expect(answer?.statusCode).toBe(503)
      expect(answer?.headers['retry-after']).toMatch(/^\d+$/)
    },
  )

  it("treats any other database error that it doesn't know as a bug", async () => {
    const [answer] = await ask(Object.assign(new pg.DatabaseError('odd', 1, 'error'), { code: 'XX000' }))
    expect(answer?.statusCode).toBe(500)
    expect(said).toHaveLength(1)
  })

  it('logs once that it is too busy, however many requests it rejects', async () => {
    const answers = await ask(errors.overloaded(), 50)
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([503]))
    expect(answers[0]?.headers['retry-after']).toBe('1')
    expect(said).toMatchObject([{ level: 40, refused: 1 }])
  })
})
