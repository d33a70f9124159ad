import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { hashPassword, verifyPassword } from '@ovation/server/auth/passwords/passwords'
import { parseConfig } from '@ovation/server/config'
import { startGateway } from '@ovation/server/gateway'
import { openDatabase } from '@ovation/server/postgres/open'
import { loadSecrets } from '@ovation/server/secrets'
import { pino } from 'pino'
import { median } from '../quantile.ts'
import { printTable, writeResult } from '../report.ts'
import type { CompareOrder, Comparison, LoadOrder, LoadResult } from './load.ts'

const password = 'correct horse battery'
/** A sign-in may take so much of the bare hash's time. */
const mostSignInRatio = 1.15
const leastRefreshesPerCpuSecond = 1000
/** How long the slowest of a hundred turns of the event loop may be while passwords are hashed, in milliseconds. */
const mostLoopDelayMs = 25
/** How often a known address may take longer than an unknown one beside a tossed coin: 0.5 tells nothing, 1 tells all. */
const mostAdvantage = 0.1
const pairs = 150

/**
 * `npm run bench -- auth [--seconds n]`: what a sign-in costs beside the hash of the password, whether hashing holds up the event
 * loop, and how many refreshes a core does. The load comes from a process of its own. Exits with 1 when a promise is not kept.
 */
export async function benchAuth(args: readonly string[]): Promise<void> {
  const seconds = Number(args[args.indexOf('--seconds') + 1]) || 8
  const dataDir = mkdtempSync(join(tmpdir(), 'ovation-bench-auth-'))
  const config = parseConfig({ ...settings, DATA_DIR: dataDir })
  const log = pino({ level: 'fatal' })
  const secrets = await loadSecrets(config)
  const database = await openDatabase(config, secrets, log)
  const { requestUrl, ownerUrl } = database
  const gateway = await startGateway({
    config,
    secrets,
    log,
    requestUrl,
    ownerUrl,
    hasProductSchema: true,
    sandboxUrl: undefined,
  })
  const load = fork(new URL('load.ts', import.meta.url), { execArgv: ['--disable-warning=ExperimentalWarning'] })
  try {
    const order = { url: gateway.url, apikey: secrets.anonKey, password, seconds }
    await report(await measure(load, order))
  } finally {
    load.kill()
    await gateway.close()
    await database.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const settings = {
  NODE_ENV: 'production',
  PORT: '0',
  LOG_LEVEL: 'fatal',
  AUTH_MAILER_AUTOCONFIRM: '1',
  AUTH_RATE_LIMIT_SIGN_UP: '1000000',
  AUTH_RATE_LIMIT_SIGN_IN: '1000000',
  AUTH_RATE_LIMIT_TOKEN_REFRESH: '1000000',
  AUTH_RATE_LIMIT_FAILED_SIGN_IN: '1000000',
  AUTH_RATE_LIMIT_EMAIL_SENT: '1000000',
  AUTH_SMTP_MAX_FREQUENCY: '0',
} as const

async function measure(load: ChildProcess, order: Omit<LoadOrder, 'what' | 'atOnce'>) {
  const cores = availableParallelism()
  await run(load, { ...order, what: 'sign-in', atOnce: 1, seconds: 1 }) // plans, caches, compiled code
  await run(load, { ...order, what: 'refresh', atOnce: 16, seconds: 1 }) // and everybody has an account

  // One after the other, in turns, so that both have met the same machine.
  const hash: number[] = []
  const signIn: number[] = []
  for (let turn = 0; turn < 8; turn++) {
    hash.push(await medianOfHash(order.seconds / 16))
    signIn.push((await run(load, { ...order, what: 'sign-in', atOnce: 1, seconds: order.seconds / 16 })).medianMs)
  }
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const together = await run(load, { ...order, what: 'sign-in', atOnce: 4 * cores })
  delay.disable()
  const before = process.cpuUsage()
  const refresh = await run(load, { ...order, what: 'refresh', atOnce: 16 })
  const { user, system } = process.cpuUsage(before)
  const telling = async (path: string, body: CompareOrder['body']) =>
    chanceToTell(await ask<Comparison>(load, { ...order, what: 'compare', path, body, pairs }))
  return {
    /** How often the known one of two addresses takes longer. */
    knownTakesLonger: {
      signIn: await telling('/token?grant_type=password', { password: 'a wrong password' }),
      recover: await telling('/recover', {}),
      otp: await telling('/otp', {}),
    },
    cores,
    hashMs: median(hash),
    signInMs: median(signIn),
    signInRatio: median(signIn) / median(hash),
    signInsPerSecond: together.perSecond,
    hashesPerSecond: await hashesPerSecond(4 * cores, order.seconds / 2),
    loopDelayMs: { median: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 },
    refreshesPerSecond: refresh.perSecond,
    refreshesPerCpuSecond: refresh.count / ((user + system) / 1e6),
  }
}

async function report(measured: Awaited<ReturnType<typeof measure>>) {
  const { signInRatio, loopDelayMs, refreshesPerCpuSecond, knownTakesLonger } = measured
  const ms = (value: number) => `${value.toFixed(1)} ms`
  printTable(
    ['auth/v1', 'measured', 'promised'],
    [
      ['bare argon2id, one after the other (median)', ms(measured.hashMs), ''],
      ['sign-in, one after the other (median)', ms(measured.signInMs), ''],
      ['sign-in / bare hash', signInRatio.toFixed(2), `≤ ${mostSignInRatio}`],
      [`bare hashes a second, ${4 * measured.cores} at once`, measured.hashesPerSecond.toFixed(0), ''],
      [`sign-ins a second, ${4 * measured.cores} at once`, measured.signInsPerSecond.toFixed(0), ''],
      ['event loop meanwhile: median delay', ms(loopDelayMs.median), ''],
      ['event loop meanwhile: 99th percentile', ms(loopDelayMs.p99), `≤ ${mostLoopDelayMs} ms`],
      ['refreshes a second, all processes on this machine', measured.refreshesPerSecond.toFixed(0), ''],
      [
        "refreshes a second of the gateway's processor time",
        refreshesPerCpuSecond.toFixed(0),
        `> ${leastRefreshesPerCpuSecond}`,
      ],
      ...Object.entries(knownTakesLonger).map(([what, share]) => [
        `${what}: a known address takes longer than an unknown one`,
        `${(100 * share).toFixed(0)} %`,
        `${50 - 100 * mostAdvantage}–${50 + 100 * mostAdvantage} %`,
      ]),
    ],
  )
  process.stdout.write(`written to ${writeResult('auth', measured)}\n`)
  const kept =
    signInRatio <= mostSignInRatio &&
    loopDelayMs.p99 <= mostLoopDelayMs &&
    refreshesPerCpuSecond > leastRefreshesPerCpuSecond &&
    Object.values(knownTakesLonger).every((share) => Math.abs(share - 0.5) <= mostAdvantage)
  if (!kept) process.exitCode = 1
}

const run = (load: ChildProcess, order: LoadOrder) => ask<LoadResult>(load, order)

async function ask<Result extends object>(load: ChildProcess, order: LoadOrder | CompareOrder): Promise<Result> {
  const waiting = new AbortController()
  const first = (event: string) => once(load, event, { signal: waiting.signal })
  try {
    load.send(order)
    const [result] = (await Promise.race([
      first('message'),
      first('exit').then(() => Promise.reject(new Error('The process that makes the load has ended'))),
    ])) as [Result | { readonly failed: string }]
    if ('failed' in result) throw new Error(result.failed)
    return result
  } finally {
    waiting.abort()
  }
}

/** The share of all pairs in which the known address took longer (Mann and Whitney's U by its greatest value). */
function chanceToTell({ known, unknown }: Comparison): number {
  let longer = 0
  for (const a of known) for (const b of unknown) longer += a > b ? 1 : a === b ? 0.5 : 0
  return longer / (known.length * unknown.length)
}

async function medianOfHash(seconds: number): Promise<number> {
  const stored = await hashPassword(password)
  const times: number[] = []
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    const startedAt = performance.now()
    await verifyPassword(password, stored)
    times.push(performance.now() - startedAt)
  }
  return median(times)
}

async function hashesPerSecond(atOnce: number, seconds: number): Promise<number> {
  const stored = await hashPassword(password)
  let count = 0
  const end = performance.now() + seconds * 1000
  const worker = async () => {
    for (; performance.now() < end; count++) await verifyPassword(password, stored)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return count / seconds
}
