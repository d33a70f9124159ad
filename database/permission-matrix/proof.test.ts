import { createTestDatabase, type TestDatabase } from '@ovation/server/testing/database'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { equivalent } from './equivalent.ts'
import { buildMatrixFixture } from './matrix-fixture.ts'
import type { Mutation } from './mutations/mutation.ts'
import { policyMutations } from './mutations/policies.ts'
import { triggerMutations } from './mutations/triggers.ts'
import { buildProbes, type Probe } from './probes.ts'
import { prove } from './prove.ts'
import { loadProbes, meetAll } from './run.ts'

let database: TestDatabase
let client: pg.Client
let probes: Probe[]
beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  const world = await buildMatrixFixture(client)
  probes = await buildProbes(world)
  await loadProbes(world, probes)
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/** The mutations that the matrix did not notice. */
async function survivors(mutations: readonly Mutation[]): Promise<string[]> {
  const names: string[] = []
  for (const mutation of mutations) {
    if (mutation.name in equivalent) continue // npm run proof:policies checks these too
    if ((await prove(client, mutation)).outcome !== 'noticed') names.push(mutation.name)
  }
  return names
}

// The part of `npm run proof:policies` that is fast enough for every run. The proof also covers grants, views, and functions.
describe('the permission matrix, when a rule is changed', () => {
  it('passes before', async () => {
    expect(await meetAll(client)).toEqual(probes.map(({ expected }) => expected))
  })

  it('fails for each policy that is dropped, widened, or granted to visitors [GEN-35, API-REST-42]', async () => {
    const mutations = await policyMutations(client)
    expect(mutations.filter(({ name }) => name.endsWith('dropped')).length).toBeGreaterThan(50)
    expect(await survivors(mutations)).toEqual([])
  }, 240_000)

  it('fails for each guarding trigger that is dropped [GEN-35, API-REST-42]', async () => {
    const mutations = await triggerMutations(client)
    expect(mutations.length).toBeGreaterThan(15)
    expect(await survivors(mutations)).toEqual([])
  }, 240_000)
})
