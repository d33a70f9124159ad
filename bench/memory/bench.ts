import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { printTable, writeResult } from '../report.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const mostMb = 300

type Idle = { readonly start: string; readonly serverMb: number; readonly postgresMb: number; readonly totalMb: number }

/**
 * `npm run bench -- memory [seconds]`: what all processes of `npm start` take together when nobody uses the product, a minute after a first
 * start and its demo are complete, and a minute after the next start. Linux only. Exits with 1 when it is too much.
 */
export async function benchMemory([seconds = '60']: readonly string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ovation-bench-memory-'))
  try {
    const first = await measure('first', /The demo is complete/, dataDir, Number(seconds))
    const next = await measure('next', /is ready in/, dataDir, Number(seconds))
    const rows = [first, next]
    printTable(
      ['start', 'server MB', 'PostgreSQL MB', 'together'],
      rows.map(({ start, ...mb }) => [start, ...[mb.serverMb, mb.postgresMb, mb.totalMb].map((one) => one.toFixed(0))]),
    )
    process.stdout.write(`${writeResult('memory', rows)}\n`)
    if (rows.some(({ totalMb }) => totalMb > mostMb)) {
      process.stderr.write(`Not as promised: more than ${mostMb} MB\n`)
      process.exitCode = 1
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measure(start: string, isComplete: RegExp, dataDir: string, seconds: number): Promise<Idle> {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  // As npm runs it, but without npm. The script replaces its shell with the product.
  const product = spawn(scripts.start, {
    cwd: root,
    shell: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
      DATA_DIR: dataDir,
      PORT: '0',
      WORKERS: '1',
      LOG_LEVEL: 'warn',
    },
  })
  const ended = once(product, 'exit')
  try {
    let said = ''
    const complete = new Promise<void>((resolve) =>
      product.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (isComplete.test(said)) resolve()
      }),
    )
    await Promise.race([complete, ended.then(() => Promise.reject(new Error('the product did not start')))])
    await sleep(seconds * 1000)
    return { start, ...readMemory(product.pid ?? 0) }
  } finally {
    product.kill('SIGTERM')
    await ended
  }
}

/** The product's processes. The server's are those that run Node. */
function readMemory(product: number): Omit<Idle, 'start'> {
  const processes = execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, parent, name]) => ({ pid: Number(pid), parent: Number(parent), isPostgres: name === 'postgres' }))
  const family = new Set([product])
  // A set grows while it is walked through, so children of children follow.
  for (const one of family) for (const { pid, parent } of processes) if (parent === one) family.add(pid)
  const megabytesOf = (wanted: boolean) =>
    sumMegabytes(processes.filter(({ pid, isPostgres }) => family.has(pid) && isPostgres === wanted))
  const [serverMb, postgresMb] = [megabytesOf(false), megabytesOf(true)]
  return { serverMb, postgresMb, totalMb: serverMb + postgresMb }
}

/**
 * The proportional share of each process (PSS), which counts a page once that several have. Pages of files count in full, once for all, because
 * this benchmark and others run the same program, and their share would make the product look smaller.
 */
function sumMegabytes(processes: readonly { readonly pid: number }[]): number {
  const files = new Map<string, number>()
  let kilobytes = 0
  for (const { pid } of processes) {
    const own = new Map<string, number>()
    let file: string | undefined
    for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
      const mapping = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \S+ *(.*)$/.exec(line)
      // Shared memory has a path too, but it is the product's alone.
      if (mapping) file = /^\/(?!dev\/|SYSV)/.test(mapping[1] ?? '') ? mapping[1] : undefined
      const [, name, value = '0'] = /^(Rss|Pss): +(\d+) kB$/.exec(line) ?? []
      if (name === 'Pss' && file === undefined) kilobytes += Number(value)
      if (name === 'Rss' && file !== undefined) own.set(file, (own.get(file) ?? 0) + Number(value))
    }
    for (const [path, size] of own) files.set(path, Math.max(files.get(path) ?? 0, size))
  }
  return [...files.values()].reduce((sum, size) => sum + size, kilobytes) / 1024
}
