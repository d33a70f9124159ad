import { withMigratedDatabase } from '../../scripts/generate/migrated-database.ts'
import { equivalent } from './equivalent.ts'
import { buildMatrixFixture } from './matrix-fixture.ts'
import { functionMutations } from './mutations/functions.ts'
import { grantMutations } from './mutations/grants.ts'
import { policyMutations } from './mutations/policies.ts'
import { triggerMutations } from './mutations/triggers.ts'
import { viewMutations } from './mutations/views.ts'
import { buildProbes } from './probes.ts'
import { prove } from './prove.ts'
import { firstDifference, loadProbes } from './run.ts'

/**
 * `npm run proof:policies`: changes each rule in turn (a policy, a grant, a trigger, a mask, a guard) and requires that the matrix
 * fails. Exits 1 when a change goes unnoticed, or when an entry of equivalent.ts is no longer needed.
 * An argument limits it to the mutations whose name contains it.
 */
const [filter = ''] = process.argv.slice(2)
await withMigratedDatabase(async (client) => {
  const world = await buildMatrixFixture(client)
  const probes = await buildProbes(world)
  await loadProbes(world, probes)
  const red = await firstDifference(client, [])
  if (red !== null) throw new Error(`the matrix is red before anything is changed: ${probes[red]?.cell}`)

  const mutations = [
    ...(await policyMutations(client)),
    ...(await grantMutations(client)),
    ...(await triggerMutations(client)),
    ...(await viewMutations(client)),
    ...(await functionMutations(client)),
  ].filter(({ name }) => name.includes(filter))
  const counts = { noticed: 0, survived: 0, impossible: 0, equivalent: 0 }
  const needed = new Set<string>()
  for (const mutation of mutations) {
    const verdict = await prove(client, mutation)
    if (process.env.VERBOSE && verdict.outcome === 'noticed')
      console.log(`noticed ${mutation.name}: ${probes[verdict.probe]?.cell}`)
    if (verdict.outcome === 'impossible' && process.env.VERBOSE)
      console.log(`impossible ${mutation.name}: ${verdict.reason}`)
    if (verdict.outcome === 'survived' && mutation.name in equivalent) {
      needed.add(mutation.name)
      counts.equivalent += 1
      continue
    }
    counts[verdict.outcome] += 1
    if (verdict.outcome === 'survived') console.log(`SURVIVED ${mutation.name}`)
  }
  const idle = Object.keys(equivalent).filter((name) => name.includes(filter) && !needed.has(name))
  for (const name of idle) console.log(`NOT NEEDED in equivalent.ts: ${name}`)
  const cells = probes.reduce((sum, probe) => sum + probe.cells, 0)
  console.log(
    `${cells} cells in ${probes.length} probes; ${mutations.length} mutations: ${counts.noticed} noticed, ${counts.survived} survived, ` +
      `${counts.equivalent} change nothing (equivalent.ts), ${counts.impossible} that PostgreSQL refuses`,
  )
  if (counts.survived > 0 || idle.length > 0) process.exitCode = 1
})
