import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { printTable, writeResult } from '../report.ts'
import { attacks } from './attacks.ts'
import { Connections, GaveUp } from './connections.ts'
import { type Memory, readMemory, slopeOf } from './memory.ts'
import { Results } from './results.ts'
import { runScenario } from './scenarios.ts'
import { Sockets } from './sockets.ts'
import { Attackers } from './under-attack.ts'
import { openUserPool, type PoolUser, password, type UserPool } from './user-pool.ts'

const usage = `npm run proof:load [-- --minutes N] [--attack-minutes N] [--people N] [--capacity N] [--attacks NAMES] [--only PART]

  --minutes         of the steady load, 10; twice the load takes a minute at most
  --attack-minutes  of all attacks, one after another and then all at once, 60
  --people          with an open websocket each, 300
  --capacity        scenarios a second; measured when it is not given
  --attacks         all, none, or some of ${Object.keys(attacks).join(',')}; all
  --only            load, or attacks; both
`
/** Up to where the product keeps up: so soon have 99 of a hundred requests of any kind their answer, and nobody is refused. */
const lineMs = 500
/** What memory may still grow by in ten minutes once it is warm, of what is held. */
const mostGrowth = 0.1
/** A refusal that is not quick is a wait for nothing. */
const refusalMs = 1_000
const mostSecondsUntilCalm = 10
const signInEveryMs = 5_000
/** What attackers began has ended by then: a statement may take eight seconds. */
const calmingMs = 10_000
/** Of the capacity, while attacks are looked at: an ordinary day, with some room. */
const ordinaryShare = 0.4
/** Calm and attacked by turns, so that what else the machine does falls on both. */
const turns = 3
/** How much slower ordinary requests may be under one attack, at p99. Under all at once, they stay within `lineMs`. */
const mostSlowdown = 2
/** Below this a factor says nothing: a timer's tick or another program would decide. */
const leastMs = 25
/** What is not refused is answered while somebody still waits for it. */
const overloadedMs = 3_000

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    'attack-minutes': { type: 'string', default: '60' },
    people: { type: 'string', default: '300' },
    capacity: { type: 'string' },
    attacks: { type: 'string', default: 'all' },
    only: { type: 'string' },
    help: { type: 'boolean' },
  },
})

/**
 * `npm run proof:load`: a pool of people uses the product as a process of its own. How much it can do is measured first; then comes a
 * steady load of 80 % of that, then twice of what it can do, then 80 % again. Exits with 1 when a promise is not kept. The people live on
 * the same machine, in one process that does as little as it can (see Connections): their processor time is reported.
 */
async function main() {
  if (options.help) return void process.stdout.write(usage)
  const names = readAttacks(options.attacks)
  if (options.only !== undefined && options.only !== 'load' && options.only !== 'attacks') throw new Error(usage)
  const pool = await openUserPool(Number(options.people))
  const connections = new Connections(pool.product.url, new Results())
  let sockets: Sockets | undefined
  try {
    sockets = await Sockets.open(pool, connections.results)
    const load: Load = { pool, connections, sockets }
    await run(load, 10, 5) // plans, caches, compiled code
    const minutes = Number(options.minutes)
    const capacity = Number(options.capacity) || (await findCapacity(load))
    const promises: Promised[] = []
    if (options.only !== 'attacks') {
      promises.push(...(await holdSteady(load, capacity * 0.8, minutes * 60)))
      promises.push(...(await overload(load, capacity, Math.min(1, minutes) * 60)))
    }
    if (options.only !== 'load' && names.length > 0) {
      const rounds = names.length > 1 ? [...names.map((name) => [name]), names] : [names]
      const seconds = (Number(options['attack-minutes']) * 60) / rounds.length
      for (const round of rounds) promises.push(...(await withstand(load, capacity * ordinaryShare, seconds, round)))
    }
    printTable(
      ['', 'figure', 'promise', ''],
      promises.map(({ what, figure, promise, kept }) => [what, figure, promise, kept ? 'kept' : 'NOT KEPT']),
    )
    process.stdout.write(`\n${writeResult('load', { capacity, promises })}\n`)
    if (!promises.every(({ kept }) => kept)) process.exitCode = 1
  } finally {
    sockets?.close()
    connections.close()
    await pool.close()
  }
}

/** @throws Error for a name that is none. */
function readAttacks(text: string): readonly string[] {
  if (text === 'none') return []
  const known = Object.keys(attacks)
  const names = text === 'all' ? known : text.split(',')
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`There is no attack "${unknown}".\n${usage}`)
  return names
}

type Load = { readonly pool: UserPool; readonly connections: Connections; readonly sockets: Sockets }
type Promised = { readonly what: string; readonly figure: string; readonly promise: string; readonly kept: boolean }

const ms = (value: number) => `${value.toFixed(0)} ms`

/**
 * Starts scenarios at random moments, so many a second on average, whether or not others have ended: users don't wait for one another.
 * @returns what came of the requests, when the last of them has been answered.
 */
async function run({ pool, connections, sockets }: Load, perSecond: number, seconds: number): Promise<Results> {
  const results = new Results()
  connections.results = results
  sockets.results = results
  const end = performance.now() + seconds * 1000
  const scenarios: Promise<void>[] = []
  let next = performance.now()
  while (next < end) {
    while (next <= performance.now()) {
      scenarios.push(runScenario(pool, connections))
      next += (-Math.log(1 - Math.random()) * 1000) / perSecond
    }
    await sleep(Math.max(1, next - performance.now()))
  }
  await Promise.all(scenarios)
  return results
}

/**
 * Scenarios a second, raised by short steps until the line breaks, then half a step back and forth. What a short step bears may still be too
 * much: a queue that grows by a twentieth of each second stays below the line for as long as the step, and what is done by the clock comes
 * once a minute. So the capacity is the most that is then borne for more than a minute.
 */
async function findCapacity(load: Load): Promise<number> {
  let [good, rate, factor] = [0, 40, 1.4]
  while (factor > 1.1) {
    if (await keepsUp(load, rate, 8)) good = rate
    else factor = Math.sqrt(factor)
    rate = (good || rate / factor ** 3) * factor
  }
  while (good > 1 && !(await keepsUp(load, good, 70))) good /= 1.1
  if (good <= 1) throw new Error('no load is small enough')
  return good
}

async function keepsUp(load: Load, rate: number, seconds: number): Promise<boolean> {
  const results = await run(load, rate, seconds)
  const isBorne = isWithinLine(results)
  tell(`${seconds} s of ${rate.toFixed(0)} scenarios a second: ${describe(results)}${isBorne ? '' : ': too much'}`)
  await sleep(1_000)
  return isBorne
}

const isWithinLine = (results: Results) =>
  results.count('refused') + results.count('error') === 0 && results.quantile(0.99, 'answered') <= lineMs

async function holdSteady(load: Load, perSecond: number, seconds: number): Promise<Promised[]> {
  const { pool, sockets } = load
  const samples: Memory[] = []
  const everySeconds = 2
  const look = () => samples.push(readMemory(pool.product.pid, pool.dataDir))
  const watch = setInterval(look, everySeconds * 1000)
  const own = process.cpuUsage()
  const results = await run(load, perSecond, seconds)
  const { user, system } = process.cpuUsage(own)
  clearInterval(watch)
  look()
  tell(
    `\n${seconds} s of ${perSecond.toFixed(0)} scenarios a second: ${describe(results)}; those who ask use ${((user + system) / 1e4 / seconds).toFixed(0)} % of a core`,
  )
  printTable(
    ['', 'requests', 'p50', 'p99'],
    results.kinds.map((kind) => [
      kind,
      `${results.countOf(kind)}`,
      ms(results.quantile(0.5, 'answered', kind)),
      ms(results.quantile(0.99, 'answered', kind)),
    ]),
  )
  tellRestless(results.restlessSeconds(lineMs), seconds)
  tellErrors(results)
  return [
    promise('errors and refusals', results.count('error') + results.count('refused'), 0),
    promise('requests, p99', results.quantile(0.99, 'answered'), lineMs, ' ms'),
    ...flatness(samples, everySeconds),
    promise('sockets lost', pool.users.length - sockets.open + sockets.unanswered, 0),
  ]
}

/** What each kind of process holds after a third of the time, and how that goes on. */
function flatness(samples: readonly Memory[], everySeconds: number): Promised[] {
  const warm = samples.slice(Math.floor(samples.length / 3))
  return Object.keys(warm[0] ?? {}).map((name) => {
    const values = warm.map((sample) => sample[name] ?? 0)
    const slope = slopeOf(values, everySeconds)
    const held = values.reduce((sum, value) => sum + value, 0) / values.length
    const grown = (slope * values.length * everySeconds) / 60
    return {
      what: `memory: ${name}`,
      figure: `${held.toFixed(0)} MB, ${slope >= 0 ? '+' : ''}${slope.toFixed(1)} MB a minute`,
      promise: `at most ${mostGrowth * 100} % more`,
      kept: grown <= Math.max(held * mostGrowth, 10),
    }
  })
}

async function overload(load: Load, capacity: number, seconds: number): Promise<Promised[]> {
  const { pool, sockets } = load
  const results = await run(load, capacity * 2, seconds)
  const silent = await sockets.countSilent()
  tell(`\n${seconds} s of ${(capacity * 2).toFixed(0)} scenarios a second: ${describe(results)}`)
  tellErrors(results)
  const after = await run(load, capacity * 0.8, seconds / 2)
  tell(`afterwards ${seconds / 2} s of ${(capacity * 0.8).toFixed(0)} a second: ${describe(after)}`)
  tellErrors(after)
  return [
    promise('twice the load: errors that are no polite refusal', results.count('error'), 0),
    promise('twice the load: refusals, p99', results.quantile(0.99, 'refused') || 0, refusalMs, ' ms'),
    promise('twice the load: answers, p99', results.quantile(0.99, 'answered'), overloadedMs, ' ms'),
    promise('twice the load: sockets lost or silent', pool.users.length - sockets.open + silent, 0),
    promise('afterwards: until all is well again', after.secondsUntilCalm(lineMs), mostSecondsUntilCalm, ' s'),
  ]
}

/**
 * Ordinary people with and without attackers, by turns. What attackers get is printed and not judged: how much it costs everybody else is.
 * The user they try to lock out signs in every few seconds.
 */
async function withstand(
  load: Load,
  perSecond: number,
  seconds: number,
  names: readonly string[],
): Promise<Promised[]> {
  const fans = load.pool.users.filter(({ isCreator }) => !isCreator)
  const [victim, ...villains] = fans.slice(-4) as [PoolUser, ...PoolUser[]]
  const ordinary: Load = {
    ...load,
    pool: { ...load.pool, users: load.pool.users.filter((one) => !villains.includes(one)) },
  }
  const { url, secrets } = load.pool.product
  const attackers = new Attackers(
    { url, anonKey: secrets.anonKey, attackers: villains, email: victim.email, strangers: load.pool.creators },
    names,
  )
  const [calm, attacked]: [Results[], Results[]] = [[], []]
  const each = seconds / turns / 2
  const look = async () => {
    const isOver = new AbortController()
    const signIns = signInAgainAndAgain(ordinary, victim, isOver.signal)
    const results = await run(ordinary, perSecond, each)
    isOver.abort()
    await signIns
    return results
  }
  try {
    for (let turn = 0; turn < turns; turn++) {
      calm.push(await look())
      attacked.push(await attackers.during(look))
      await sleep(calmingMs)
    }
  } finally {
    attackers.close()
  }
  const [without, under] = [Results.of(calm), Results.of(attacked)]
  tell(`\n${names.join(', ')}`)
  tell(`${perSecond.toFixed(0)} scenarios a second, ${turns} × ${each.toFixed(0)} s calm: ${describe(without)}`)
  tellErrors(without)
  tell(`the same under attack: ${describe(under)}`)
  tellErrors(under)
  attackers.print()
  printTable(
    ['', 'p99 calm', 'p99 attacked'],
    under.kinds.map((kind) => [
      kind,
      ms(without.quantile(0.99, 'answered', kind)),
      ms(under.quantile(0.99, 'answered', kind)),
    ]),
  )
  const [only, ...others] = names
  const what = others.length === 0 ? `${only}` : `${names.length} attacks at once`
  const p99 = under.quantile(0.99, 'answered')
  return [
    promise(`${what}: ordinary requests refused or failed`, under.count('error') + under.count('refused'), 0),
    others.length === 0
      ? slowdown(what, p99, Math.max(without.quantile(0.99, 'answered'), leastMs))
      : promise(`${what}: p99, of ${ms(without.quantile(0.99, 'answered'))} without`, p99, lineMs, ' ms'),
    promise(`${what}: sockets lost`, load.pool.users.length - load.sockets.open, 0),
  ]
}

function slowdown(what: string, p99: number, before: number): Promised {
  const factor = p99 / before
  return {
    what: `${what}: p99, of ${ms(before)} without`,
    figure: `× ${factor.toFixed(1)}`,
    promise: `at most × ${mostSlowdown}`,
    kept: factor <= mostSlowdown,
  }
}

async function signInAgainAndAgain({ pool, connections }: Load, { email, address }: PoolUser, isOver: AbortSignal) {
  const headers = { apikey: pool.product.secrets.anonKey, 'x-forwarded-for': address }
  while (!isOver.aborted) {
    await connections
      .ask('sign-in', {
        method: 'POST',
        path: '/auth/v1/token?grant_type=password',
        headers,
        body: { email, password },
      })
      .catch((error: unknown) => {
        if (!(error instanceof GaveUp)) throw error
      })
    await sleep(signInEveryMs, undefined, { signal: isOver }).catch(() => undefined)
  }
}

function promise(what: string, figure: number, most: number, unit = ''): Promised {
  return { what, figure: `${figure.toFixed(0)}${unit}`, promise: `at most ${most}${unit}`, kept: figure <= most }
}

function describe(results: Results): string {
  const [answered, refused, failed] = (['answered', 'refused', 'error'] as const).map((outcome) =>
    results.count(outcome),
  )
  const refusals = refused
    ? `, ${refused} refused (p50 ${ms(results.quantile(0.5, 'refused'))}, p99 ${ms(results.quantile(0.99, 'refused'))})`
    : ''
  return `${answered} answers, p50 ${ms(results.quantile(0.5, 'answered'))}, p99 ${ms(results.quantile(0.99, 'answered'))}${refusals}, ${failed} errors`
}

const tell = (line: string) => process.stdout.write(`${line}\n`)

/** When it was too much: one long stretch is a cause that came and went, a beat is something that the clock does, the end is growth. */
function tellRestless(seconds: readonly number[], of: number) {
  if (seconds.length === 0) return
  const stretches: [from: number, to: number][] = []
  for (const second of seconds) {
    const last = stretches.at(-1)
    if (last && second <= last[1] + 1) last[1] = second
    else stretches.push([second, second])
  }
  const told = stretches.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ')
  tell(`too much in ${seconds.length} of ${of} seconds: ${told}`)
}

function tellErrors({ errors }: Results) {
  for (const [words, times] of [...errors].slice(0, 10)) tell(`  ${times} × ${words}`)
}

await main()
