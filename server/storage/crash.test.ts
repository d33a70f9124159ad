import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@supabase/supabase-js'
import { Upload } from 'tus-js-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { freePort } from '../testing/free-port.ts'
import { type GatewayProcess, startGatewayProcess } from '../testing/gateway-process.ts'
import { filesBelow } from './testing/files-below.ts'
import { sweepADayLater } from './testing/sweep-later.ts'
import { sendResumably } from './testing/tus-client.ts'

/** `npm run proof:storage` kills more often, and resumes a whole gigabyte. */
const isProof = process.env.STORAGE_PROOF === '1'
const kills = isProof ? 40 : 3
const resumedBytes = isProof ? 1024 ** 3 : 20_000_000
const interruptionsWanted = isProof ? 2 : 1
const patience = isProof ? 15 * 60_000 : 240_000

let database: TestDatabase
let dataDir: string
let gateway: GatewayProcess | undefined
let port: number

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'ovation-crash-'))
  port = await freePort()
  await database.query(`insert into storage.buckets (id, name) values ('files', 'files')`)
})
afterEach(async () => {
  await gateway?.kill()
  gateway = undefined
})
afterAll(async () => {
  await database?.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(before?: string): Promise<GatewayProcess> {
  gateway = await startGatewayProcess({ database, dataDir, env: { PORT: `${port}` }, ...(before && { before }) })
  return gateway
}

const clientOf = ({ url, secrets }: GatewayProcess) =>
  createClient(url, secrets.serviceRoleKey, { auth: { persistSession: false, autoRefreshToken: false } }).storage.from(
    'files',
  )
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const stored = (folder: string) => filesBelow(dataDir, 'storage', folder)

describe('a server that is killed', () => {
  it('keeps rows and files consistent, and loses nothing it acknowledged [API-STO-09]', {
    timeout: patience,
  }, async () => {
    /** The allowed contents of each path: the last acknowledged one, or one in transit when the server died. */
    const wanted = new Map<string, Set<string | undefined>>()
    let acknowledged = 0
    for (let round = 0; round < kills; round++) {
      const server = await start()
      const bucket = clientOf(server)
      let isOver = false
      const work = async (name: string) => {
        for (let turn = 0; !isOver; turn++) {
          const body = randomBytes(Math.ceil(Math.random() * 400_000))
          const removes = turn % 4 === 3
          const next = removes ? undefined : sha(body)
          const before = wanted.get(name) ?? new Set([undefined])
          wanted.set(name, new Set([...before, next]))
          const { error } = removes
            ? await bucket.remove([name])
            : turn % 4 === 2
              ? await sendInPieces(server, name, body)
              : await bucket.upload(name, body, { upsert: true, contentType: 'application/octet-stream' })
          if (error) continue
          acknowledged++
          wanted.set(name, new Set([next]))
        }
      }
      const workers = Array.from({ length: 6 }, (_, index) => work(`worker-${index}`))
      await sleep(150 + Math.random() * 600)
      isOver = true
      await server.kill()
      await Promise.all(workers)
    }

    expect(acknowledged).toBeGreaterThan(0)
    const bucket = clientOf(await start())
    for (const [name, possible] of wanted) {
      const { data, error } = await bucket.download(name)
      if (error) expect(error, name).toMatchObject({ statusCode: '404' })
      const found = data ? sha(new Uint8Array(await data.arrayBuffer())) : undefined
      expect([...possible], name).toContain(found)
    }
    await sweepADayLater({ ...database, dataDir })
    const rows = await database.query<{ version: string }>('select version from storage.objects order by version')
    expect(stored('objects')).toEqual(rows.map(({ version }) => version))
    for (const folder of ['incoming', 'parts', 'scratch']) expect(stored(folder), folder).toEqual([])
  })

  it('resumes an upload at its offset, and the hash is right [API-STO-09]', {
    timeout: patience,
  }, async () => {
    const body = Buffer.alloc(resumedBytes)
    // Random enough to tell positions apart, and fast to make.
    const block = randomBytes(1_000_003)
    for (let at = 0; at < body.length; at += block.length) block.copy(body, at)
    const server = await start()
    let interruptions = 0
    const done = new Promise<void>((resolve, reject) => {
      const upload = new Upload(body, {
        endpoint: `${server.url}/storage/v1/upload/resumable`,
        headers: { authorization: `Bearer ${server.secrets.serviceRoleKey}` },
        metadata: { bucketName: 'files', objectName: 'resumed' },
        chunkSize: 6 * 1024 * 1024,
        retryDelays: Array<number>(120).fill(500), // as long as the server takes to come back
        onProgress(sentBytes) {
          if (interruptions >= interruptionsWanted || sentBytes < (resumedBytes / 3) * (interruptions + 1)) return
          interruptions++
          void gateway?.kill().then(() => start(), reject)
        },
        onSuccess: () => resolve(),
        onError: reject,
      })
      upload.start()
    })
    await done
    expect(interruptions).toBe(interruptionsWanted)
    const hash = createHash('sha256')
    const answer = await fetch(`${server.url}/storage/v1/object/files/resumed`, {
      headers: { apikey: server.secrets.serviceRoleKey },
    })
    for await (const chunk of answer.body ?? []) hash.update(chunk)
    expect(hash.digest('hex')).toBe(sha(body))
    expect(stored('parts')).toEqual([])
  })
})

describe('a disk that is full', () => {
  it('rejects what does not fit, keeps nothing of it, and still stores what fits', { timeout: patience }, async () => {
    const before = ['objects', 'incoming', 'parts'].map(stored)
    const server = await start('ulimit -f 2048; trap "" XFSZ') // 1 or 2 MB for a file, by the shell's unit
    const bucket = clientOf(server)
    const large = randomBytes(3_000_000)
    const { error } = await bucket.upload('large', large, { contentType: 'application/octet-stream' })
    expect(error).toMatchObject({ status: 507, statusCode: '507', message: 'Storage quota exceeded' })
    const resumable = await sendInPieces(server, 'large-tus', large)
    expect(resumable.error).toMatchObject({ originalResponse: expect.anything() })
    expect(await database.query(`select from storage.objects where name like 'large%'`)).toEqual([])
    await sweepADayLater({ ...database, dataDir })
    expect(['objects', 'incoming', 'parts'].map(stored)).toEqual(before)
    expect((await bucket.upload('small', 'fits', { contentType: 'text/plain' })).error).toBeNull()
    expect((await bucket.remove(['small'])).error).toBeNull()
  })
})

const sendInPieces = ({ url, secrets }: GatewayProcess, objectName: string, body: Buffer) =>
  sendResumably(body, {
    endpoint: `${url}/storage/v1/upload/resumable`,
    headers: { authorization: `Bearer ${secrets.serviceRoleKey}`, 'x-upsert': 'true' },
    metadata: { bucketName: 'files', objectName },
    chunkSize: 1_000_000,
  })
