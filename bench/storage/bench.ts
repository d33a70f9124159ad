import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@ovation/server/testing/free-port'
import { type Product, startProduct } from '@ovation/server/testing/product'
import { createClient } from '@supabase/supabase-js'
import { median } from '../quantile.ts'
import { printTable, writeResult } from '../report.ts'
import { bytesPerSecond, requestsPerSecond, send } from './load.ts'
import { startNginx } from './nginx.ts'

type Bench = {
  readonly product: Product
  readonly nginx: string
  /** Folder that nginx serves. */
  readonly files: string
  readonly dataDir: string
  readonly seconds: number
  readonly largeBytes: number
}
/** A line of the table, and whether its promise was kept. */
type Line = {
  readonly name: string
  readonly ours: string
  readonly other: string
  readonly ratio: string
  readonly kept: boolean | null
}

const leastRatio = 0.7
const mostGrowthBytes = 100_000_000
const small = 10_240
const smallObjects = 20
const mega = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`

/**
 * `npm run bench -- storage`: downloads against nginx serving the same files, and what uploads cost in memory. `--quick` does all of
 * it at a tenth of the size, to see that it runs. Exits with 1 when a promise is not kept.
 */
export async function benchStorage(args: readonly string[]): Promise<void> {
  const quick = args.includes('--quick')
  const folder = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'ovation-bench-storage-'))
  const files = join(folder, 'files')
  const dataDir = join(folder, 'data')
  try {
    mkdirSync(files)
    const port = await freePort()
    const stopNginx = await startNginx(folder, files, port)
    try {
      const product = await startProduct(dataDir, await freePort())
      try {
        const nginx = `http://127.0.0.1:${port}`
        const size = quick ? { seconds: 2, largeBytes: 100_000_000 } : { seconds: 10, largeBytes: 1024 ** 3 }
        await run({ product, files, dataDir, nginx, ...size }, quick)
      } finally {
        await product.stop()
      }
    } finally {
      await stopNginx()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(bench: Bench, quick: boolean): Promise<void> {
  const lines: Line[] = []
  for (const one of cases) lines.push(...(await one(bench)))
  printTable(
    ['', 'ours', 'nginx', 'ratio', 'kept'],
    lines.map(({ name, ours, other, ratio, kept }) => [
      name,
      ours,
      other,
      ratio,
      kept === null ? '' : kept ? 'yes' : 'NO',
    ]),
  )
  process.stdout.write(`\n${writeResult('storage', { quick, lines })}\n`)
  if (lines.some(({ kept }) => kept === false)) process.exitCode = 1
}

/** In order: the large object that the first one sends is what the second one reads. */
const cases: readonly ((bench: Bench) => Promise<Line[]>)[] = [uploadLarge, downloadLarge, downloadSmall, uploadMany]

const key = ({ product }: Bench) => ({ apikey: product.secrets.serviceRoleKey })

async function uploadLarge(bench: Bench): Promise<Line[]> {
  const { product, largeBytes } = bench
  await fetch(`${product.url}/storage/v1/bucket`, {
    method: 'POST',
    headers: { ...key(bench), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', public: false }),
  })
  const url = `${product.url}/storage/v1/object/bench/large`
  await send(`${url}-first`, { ...key(bench), 'content-type': 'application/octet-stream' }, 50_000_000) // what grows once does not count
  const startedAt = performance.now()
  const growth = await growthDuring(product, () =>
    send(url, { ...key(bench), 'content-type': 'application/octet-stream' }, largeBytes),
  )
  const speed = (largeBytes * 1000) / (performance.now() - startedAt)
  return [
    { name: `upload of ${mega(largeBytes)}`, ours: `${mega(speed)}/s`, other: '', ratio: '', kept: null },
    { name: 'the process grows by', ours: mega(growth), other: '', ratio: '', kept: growth <= mostGrowthBytes },
  ]
}

async function downloadLarge(bench: Bench): Promise<Line[]> {
  linkSync(fileOf(bench, bench.largeBytes), join(bench.files, 'large'))
  const links = await signedLinks(bench, ['large'])
  const runs = { ours: [] as number[], nginx: [] as number[] }
  for (let run = 0; run < 3; run++) {
    runs.nginx.push(await bytesPerSecond(`${bench.nginx}/large`, {}))
    runs.ours.push(await bytesPerSecond(`${bench.product.url}${links[0]}`, {}))
  }
  return [
    compare(
      `download of ${mega(bench.largeBytes)} by signed link`,
      median(runs.ours),
      median(runs.nginx),
      (speed) => `${mega(speed)}/s`,
    ),
  ]
}

async function downloadSmall(bench: Bench): Promise<Line[]> {
  const { product, seconds } = bench
  const client = createClient(product.url, product.secrets.serviceRoleKey, { auth: { persistSession: false } })
  const names = Array.from({ length: smallObjects }, (_, index) => `small-${index}`)
  for (const name of names) {
    const { error } = await client.storage.from('bench').upload(name, randomBytes(small))
    if (error) throw error
  }
  for (const [index, path] of filesOf(bench, small).entries()) linkSync(path, join(bench.files, `small-${index}`))
  const perSecond = (rate: number) => `${rate.toFixed(0)}/s`
  const nginx = await requestsPerSecond(
    bench.nginx,
    names.map((name) => `/${name}`),
    {},
    seconds,
  )
  const bySession = names.map((name) => `/storage/v1/object/authenticated/bench/${name}`)
  const links = await signedLinks(bench, names)
  // What a server runs that has been up for a minute is compiled code: both ways are gone before they are measured.
  await requestsPerSecond(product.url, links, {}, seconds)
  await requestsPerSecond(product.url, bySession, key(bench), seconds)
  const signed = await requestsPerSecond(product.url, links, {}, seconds)
  const asked = await requestsPerSecond(product.url, bySession, key(bench), seconds)
  return [
    compare('downloads of 10 kB by signed link', signed, nginx, perSecond),
    compare('downloads of 10 kB, the database asked each time', asked, nginx, perSecond),
  ]
}

async function uploadMany(bench: Bench): Promise<Line[]> {
  const { product } = bench
  const startedAt = performance.now()
  const upload = (index: number) =>
    send(
      `${product.url}/storage/v1/object/bench/many-${index}`,
      { ...key(bench), 'content-type': 'application/octet-stream' },
      1_000_000,
    )
  const growth = await growthDuring(product, () =>
    Promise.all(Array.from({ length: 200 }, (_, index) => upload(index))),
  )
  const seconds = (performance.now() - startedAt) / 1000
  return [
    {
      name: `200 uploads of 1 MB at once; memory +${mega(growth)}`,
      ours: `${seconds.toFixed(1)} s`,
      other: '',
      ratio: '',
      kept: null,
    },
  ]
}

/** By how many bytes the process is larger than before, at the most, while this is done. */
async function growthDuring({ memoryBytes }: Product, work: () => Promise<unknown>): Promise<number> {
  const before = memoryBytes()
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryBytes())
  }, 200)
  try {
    await work()
  } finally {
    clearInterval(watch)
  }
  return Math.max(peak, memoryBytes()) - before
}

async function signedLinks({ product }: Bench, names: readonly string[]): Promise<string[]> {
  const client = createClient(product.url, product.secrets.serviceRoleKey, { auth: { persistSession: false } })
  const { data, error } = await client.storage.from('bench').createSignedUrls([...names], 3600)
  if (error) throw error
  return data.map(({ path, signedUrl, error: refusal }) => {
    if (!signedUrl) throw new Error(`no link to ${path}: ${refusal}`)
    return pathOf(signedUrl)
  })
}

/** The product's own files, so that nginx serves the very same. */
function filesOf({ dataDir }: Bench, sizeBytes: number): string[] {
  const root = join(dataDir, 'storage', 'objects')
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path).size === sizeBytes)
}

function fileOf(bench: Bench, sizeBytes: number): string {
  const [path] = filesOf(bench, sizeBytes)
  if (!path) throw new Error('the upload left no file')
  return path
}

function compare(name: string, ours: number, nginx: number, show: (value: number) => string): Line {
  const ratio = ours / nginx
  return { name, ours: show(ours), other: show(nginx), ratio: ratio.toFixed(2), kept: ratio >= leastRatio }
}

const pathOf = (address: string): string => new URL(address).pathname + new URL(address).search
