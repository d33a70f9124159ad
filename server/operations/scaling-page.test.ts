import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const page = readFileSync(fileURLToPath(new URL('../../docs/scaling.md', import.meta.url)), 'utf8')

/** The numbers in the row of a table that begins with this cell. */
function numbersOf(cell: string): number[] {
  const row = page.split('\n').find((line) => line.startsWith(`| ${cell}`))
  if (row === undefined) throw new Error(`no row begins with ${cell}`)
  const cells = row.split('|').slice(2, -1).join('|')
  return (cells.replaceAll(',', '').match(/\d+(\.\d+)?/g) ?? []).map(Number)
}
const numberOf = (cell: string) => numbersOf(cell)[0] ?? Number.NaN

const read = numbersOf('a read') as [ovation: number, postgres: number]
const write = numbersOf('a write') as [ovation: number, postgres: number]
const reads = numberOf('reads of a fan')
const writes = numberOf('writes of a fan')
const peak = numberOf('the busiest hour')
const use = numberOf('use of a processor') / 100
const fromReplicas = numberOf('reads that replicas') / 100
const share = numberOf('fans who come') / 100
const open = numberOf('of them have a screen') / 100

const wholeMs = reads * (read[0] + read[1]) + writes * (write[0] + write[1])
const primaryMs = reads * (1 - fromReplicas) * read[1] + writes * write[1]
/** Processors for a fan who comes, in the busiest hour. */
const processors = (ms: number) => ((ms / 1000) * peak) / 86_400
const millions = (count: number) => Number((count / 1e6).toFixed(1))

it('calculates what a fan costs [SCALE-09]', () => {
  expect(page).toContain(`costs ${Math.round(wholeMs)} ms of a processor on that day`)
  expect(page).toContain(`${(processors(wholeMs) * 1e6).toFixed(1)} millionths of a processor`)
  expect(page).toContain(`${Math.round(primaryMs)} ms of it have to be the primary's`)
})

it.each([
  ['one machine', processors(wholeMs), (first: number) => first],
  ['three', processors(wholeMs), (first: number) => 3 * first],
  ['a primary of its own', processors(primaryMs), (first: number) => first],
  ['thirty', processors(primaryMs), (first: number) => first],
])('calculates how many fans %s can serve [SCALE-09]', (name, each, count) => {
  const [first = 0, ...rest] = numbersOf(name)
  const come = (count(first) * use) / each
  const expected = [millions(come), millions(come / share), Math.round((come * writes * peak) / 86_400)]
  expect(rest.slice(-3)).toEqual(expected)
})

it('calculates what stands beside the primary [SCALE-09]', () => {
  for (const name of ['a primary of its own', 'thirty']) {
    const [first = 0, others] = numbersOf(name)
    const come = (first * use) / processors(primaryMs)
    const replicas = processors(reads * fromReplicas * read[1]) * come
    const ovation = processors(reads * read[0] + writes * write[0]) * come
    expect(Math.abs((replicas + ovation) / use - (others ?? 0)) / (others ?? 1)).toBeLessThan(0.03)
  }
  const atTenMillion = (32 * use) / processors(primaryMs)
  expect(page).toContain(
    `and ${Math.ceil((atTenMillion * open) / 10_000)} processes of it for a quarter of a million open screens`,
  )
})
