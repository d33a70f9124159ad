import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@supabase/supabase-js'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Config, parseConfig } from '../config.ts'
import { startGateway as serve } from '../gateway.ts'
import { withClient } from '../postgres/migrate.ts'
import { openDatabase } from '../postgres/open.ts'
import { loadSecrets } from '../secrets.ts'
import { startOvation } from '../start.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { backup } from './backup.ts'
import { examine } from './doctor.ts'
import { readManifest } from './manifest.ts'
import { restore } from './restore.ts'

const base = { NODE_ENV: 'test', PORT: '0', LOG_LEVEL: 'fatal', DEMO: '0' }
const picture = randomBytes(300_000)

let gateway: TestGateway
let config: Config
let fan: Person
let creator: Person
const folders: string[] = []

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'ovation-operations-'))
  folders.push(made)
  return made
}

beforeAll(async () => {
  gateway = await startGateway()
  config = parseConfig({ ...base, DATA_DIR: gateway.dataDir, DATABASE_URL: gateway.database.ownerUrl })
  fan = await gateway.signUp()
  creator = await gateway.signUp()
  await gateway.service.storage.createBucket('keep', { public: false })
  await gateway.service.storage.from('keep').upload('kept.bin', picture)
  await gateway.service.storage.from('keep').upload('gone.bin', randomBytes(1000))
  await fan.client.from('follows').insert({ follower_id: fan.profileId, following_id: creator.profileId })
  await gateway.query(
    `insert into public.notifications (user_id, type, title, created_at) values ($1, 'tip', 'Long ago', now() - interval '100 days')`,
    [fan.profileId],
  )
})
afterAll(async () => {
  await gateway?.close()
  for (const path of folders) rmSync(path, { recursive: true, force: true })
})

describe('a backup', () => {
  let directory: string
  let written: number
  beforeAll(async () => {
    directory = join(folder(), 'backup')
    written = 0
    let going = true
    // Users stay active: files come and go, and each is complete in the backup or not in it.
    const busy = (async () => {
      while (going) {
        const name = `busy-${written++}.bin`
        await gateway.service.storage.from('keep').upload(name, randomBytes(1000))
        if (written % 2) await gateway.service.storage.from('keep').remove([name])
      }
    })()
    await backup(config, directory)
    going = false
    await busy
  }, 240_000)

  it('is taken while users write, and lists its content', async () => {
    const manifest = await readManifest(directory)
    expect(written).toBeGreaterThan(1)
    expect(manifest.tables.find(({ name }) => name === 'auth.users')?.rows).toBe(2)
    expect(manifest.migrations).toContain('0001_schemas_and_roles')
    expect(manifest.files.count).toBeGreaterThan(0)
    expect(readdirSync(directory).toSorted()).toEqual(['database', 'files', 'manifest.json', 'secrets.json'])
  })

  it('restores an installation: users sign in, files are complete, rows are in their months, all counts agree', async () => {
    const target = parseConfig({ ...base, DATA_DIR: join(folder(), 'data') })
    const { differences, files, manifest } = await restore(target, directory)
    expect(differences).toEqual([])
    expect(files).toBe(manifest.files.count)

    const log = pino({ level: 'silent' })
    const secrets = await loadSecrets(target)
    expect(secrets).toEqual(gateway.secrets)
    const database = await openDatabase(target, secrets, log)
    const again = await serve({ config: target, secrets, log, ...database, sandboxUrl: undefined })
    try {
      const options = { auth: { persistSession: false, autoRefreshToken: false } }
      const client = createClient(again.url, secrets.anonKey, options)
      const { data, error } = await client.auth.signInWithPassword(fan)
      expect(error).toBeNull() // its token has a number that was not taken: sequences continue
      expect(data.user?.id).toBe(fan.userId)
      const { data: followed } = await client
        .from('profiles')
        .select('followers_count')
        .eq('id', creator.profileId)
        .single()
      expect(followed).toEqual({ followers_count: 1 })
      // A new database has no partition for it.
      const { rows } = await withClient(database.ownerUrl, (owner) =>
        owner.query(
          `select title, tableoid::regclass::text = 'private.notifications_' || to_char(created_at at time zone 'UTC', 'YYYYMM') as "isInItsMonth"
           from public.notifications where user_id = $1`,
          [fan.profileId],
        ),
      )
      expect(rows).toEqual([{ title: 'Long ago', isInItsMonth: true }])

      const service = createClient(again.url, secrets.serviceRoleKey, options)
      const kept = await service.storage.from('keep').download('kept.bin')
      expect(Buffer.from((await kept.data?.arrayBuffer()) ?? new ArrayBuffer()).equals(picture)).toBe(true)
      const { data: listed } = await service.storage.from('keep').list('', { limit: 1000 })
      expect(listed?.map(({ name }) => name)).toContain('kept.bin')
      for (const { name } of listed ?? []) {
        expect((await service.storage.from('keep').download(name)).error, name).toBeNull()
      }
    } finally {
      await again.close()
      await database.stop()
    }
  }, 240_000)

  it('copies only new files the second time, and drops removed ones', async () => {
    const before = await readManifest(directory)
    const keep = gateway.service.storage.from('keep')
    await keep.upload('later.bin', randomBytes(10))
    const { data: gone } = await keep.info('gone.bin')
    const { data: stays } = await keep.info('kept.bin')
    const fileOf = ({ version = '' } = {}) => join(directory, 'files', version.slice(0, 2), version)
    const copiedAt = statSync(fileOf(stays ?? undefined)).ctimeMs
    expect(existsSync(fileOf(gone ?? undefined))).toBe(true)
    await keep.remove(['gone.bin'])
    const after = await backup(config, directory)
    expect(existsSync(fileOf(gone ?? undefined))).toBe(false)
    expect(statSync(fileOf(stays ?? undefined)).ctimeMs).toBe(copiedAt)
    const listed = await keep.list('', { limit: 1000 })
    expect(after.files.count).toBe(listed.data?.length)
    expect(after.takenAt > before.takenAt).toBe(true)
  }, 240_000)

  it('is not taken with the keys of another installation', async () => {
    const elsewhere = folder()
    const taking = backup({ ...config, dataDir: elsewhere }, join(folder(), 'backup'))
    await expect(taking).rejects.toThrow(`DATA_DIR ${elsewhere} has no secrets.json`)
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it('that is interrupted during a restore leaves nothing that looks like an installation', async () => {
    const name = `broken_off_${randomBytes(4).toString('hex')}`
    await gateway.query(`create database ${name}`)
    const url = new URL(gateway.database.ownerUrl)
    url.pathname = `/${name}`
    // A backup whose rows fit no table, which the restore notices once the database is no longer empty.
    const broken = join(folder(), 'backup')
    cpSync(directory, broken, { recursive: true })
    const file = join(broken, 'manifest.json')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), migrations: [] }))

    const target = parseConfig({ ...base, DATA_DIR: join(folder(), 'data'), DATABASE_URL: url.href })
    await expect(restore(target, broken)).rejects.toThrow('neither the product nor a migration of yours made')
    const told = 'A restore into this database is in progress or was interrupted.'
    await expect(restore(target, directory)).rejects.toThrow(told)
    await expect(openDatabase(target, gateway.secrets, pino({ level: 'silent' }))).rejects.toThrow(told)
    // As the message says: a new database. The folder of the first attempt is in nobody's way.
    await gateway.query(`drop database ${name}`)
    await gateway.query(`create database ${name}`)
    expect((await restore(target, directory)).differences).toEqual([])
    expect(readdirSync(target.dataDir).toSorted()).toEqual(['lock', 'lock.pid', 'secrets.json', 'storage'])
    await gateway.query(`drop database ${name}`)
  }, 240_000)

  describe('whose restore is killed (kill -9)', () => {
    const main = fileURLToPath(new URL('main.ts', import.meta.url))
    const whole = ['postgres', 'secrets.json', 'storage']
    const held = (dataDir: string) => readdirSync(dataDir).filter((name) => !name.startsWith('lock'))
    const again = 'restore again'

    it.each(['postgres', 'storage'])(
      'when it has begun with its %s is no installation, and is restored by the next attempt',
      async (part) => {
        const dataDir = join(folder(), 'data')
        const env = { ...base, DATA_DIR: dataDir }
        const target = parseConfig(env)
        const args = ['--disable-warning=ExperimentalWarning', main, 'restore', directory]
        const killed = spawn(process.execPath, args, {
          env: { PATH: process.env.PATH, TEST_RUN_ID: process.env.TEST_RUN_ID, ...env },
          stdio: 'ignore',
        })
        const ended = once(killed, 'exit')
        const hasBegun = () => existsSync(join(dataDir, 'restoring', part)) || killed.exitCode !== null
        await expect.poll(hasBegun, { timeout: 120_000, interval: 5 }).toBe(true)
        killed.kill('SIGKILL')
        expect(await ended).toEqual([null, 'SIGKILL'])
        expect(held(dataDir)).toEqual(['restoring'])

        await expect(startOvation(env)).rejects.toThrow(again)
        await expect(backup(target, join(folder(), 'backup'))).rejects.toThrow(again)
        const { manifest, files, differences } = await restore(target, directory)
        expect([files, differences]).toEqual([manifest.files.count, []])
        expect(held(dataDir).toSorted()).toEqual(whole)
      },
      300_000,
    )

    it('while files are moved into place is completed by the next attempt, which removes nothing else', async () => {
      const dataDir = join(folder(), 'data')
      const target = parseConfig({ ...base, DATA_DIR: dataDir })
      const restored = await restore(target, directory)
      const growing = join(dataDir, 'restoring')
      mkdirSync(growing)
      writeFileSync(join(growing, 'restored.json'), JSON.stringify(restored))
      renameSync(join(dataDir, 'storage'), join(growing, 'storage'))
      await expect(startOvation({ ...base, DATA_DIR: dataDir })).rejects.toThrow(again)
      mkdirSync(join(dataDir, 'storage'))
      await expect(restore(target, directory)).rejects.toThrow('has a storage that is not of this restore')
      rmSync(join(dataDir, 'storage'), { recursive: true })
      expect(await restore(target, directory)).toEqual(restored)
      expect(held(dataDir).toSorted()).toEqual(whole)
      await expect(restore(target, directory)).rejects.toThrow('is not empty')
    }, 300_000)

    it('leaves alone what was put beside its remains', async () => {
      const dataDir = folder()
      mkdirSync(join(dataDir, 'restoring', 'postgres'), { recursive: true })
      mkdirSync(join(dataDir, 'postgres'))
      await expect(restore(parseConfig({ ...base, DATA_DIR: dataDir }), directory)).rejects.toThrow('is not empty')
      expect(held(dataDir).toSorted()).toEqual(['postgres', 'restoring'])
    })
  })

  it('is restored only into an empty place, and only when complete', async () => {
    await expect(restore(config, directory)).rejects.toThrow(
      'DATABASE_URL names a database that is in use: restore into an empty one.',
    )
    const used = folder()
    appendFileSync(join(used, 'secrets.json'), '{}')
    await expect(restore(parseConfig({ ...base, DATA_DIR: used }), directory)).rejects.toThrow('is not empty')
    const empty = join(folder(), 'data')
    await expect(restore(parseConfig({ ...base, DATA_DIR: empty }), used)).rejects.toThrow('is not a backup')

    const { tables } = await readManifest(directory)
    const users = tables.find(({ name }) => name === 'auth.users')?.file ?? ''
    appendFileSync(join(directory, users), 'x')
    await expect(restore(parseConfig({ ...base, DATA_DIR: empty }), directory)).rejects.toThrow(
      `The backup is not complete: ${users} has changed since it was written.`,
    )
  })
})

describe('the doctor', () => {
  const worst = (findings: Awaited<ReturnType<typeof examine>>, part: string) =>
    findings.filter((finding) => finding.part === part).map(({ state }) => state)

  it('finds a healthy installation healthy, and leaves it unchanged', async () => {
    const secrets = readFileSync(join(gateway.dataDir, 'secrets.json'), 'utf8')
    const findings = await examine(config)
    expect(findings.filter(({ state }) => state === 'failed')).toEqual([])
    expect(findings.find(({ part }) => part === 'database')?.seen).toMatch(/^PostgreSQL 18/)
    expect(readFileSync(join(gateway.dataDir, 'secrets.json'), 'utf8')).toBe(secrets)
    const fresh = folder()
    await examine({ ...config, dataDir: fresh })
    expect(readdirSync(fresh)).toEqual([])
  })

  it('finds nothing failed before the first start, says what that will create, and that no admin is named', async () => {
    const dataDir = join(folder(), 'data')
    const findings = await examine(parseConfig({ ...base, DATA_DIR: dataDir }))
    expect(findings.filter(({ state }) => state === 'failed')).toEqual([])
    const fix = 'The first start creates it: npm start.'
    const missing = [
      { part: 'data directory', state: 'warning', seen: `${dataDir} doesn't exist yet`, fix },
      { part: 'database', state: 'warning', seen: 'there is none yet', fix },
      {
        part: 'admin',
        state: 'warning',
        seen: 'ADMIN_EMAIL is not set',
        fix: 'Set it, and sign up with that address.',
      },
    ]
    expect(findings).toEqual(expect.arrayContaining(missing))
    expect(existsSync(dataDir)).toBe(false)
    const named = await examine(parseConfig({ ...base, DATA_DIR: dataDir, ADMIN_EMAIL: 'ada@example.com' }))
    expect(worst(named, 'admin')).toEqual(['ok'])
  })

  it('fails while the disk has less free space than HEALTH_MIN_FREE_MB, even if others may list DATA_DIR', async () => {
    const dataDir = folder()
    chmodSync(dataDir, 0o755)
    const full = { ...base, DATA_DIR: dataDir, HEALTH_MIN_FREE_MB: '1000000000' }
    expect(worst(await examine(parseConfig(full)), 'data directory')).toEqual(['failed'])
  })

  it.each([
    [{ HOST: '0.0.0.0' }, ['warning']],
    [{ HOST: '0.0.0.0', TRUSTED_PROXIES: 'loopback,10.0.0.0/8' }, []],
    [{ HOST: '127.0.0.1' }, []],
  ])('warns in production if no proxy on the network is trusted: %j', async (env, states) => {
    const findings = await examine(parseConfig({ ...base, NODE_ENV: 'production', DATA_DIR: folder(), ...env }))
    expect(worst(findings, 'proxy')).toEqual(states)
  })

  it('warns that videos are not transcoded without FFmpeg', async () => {
    expect(worst(await examine(config), 'videos')).toEqual(['warning'])
    expect(worst(await examine({ ...config, ffmpegPath: process.execPath }), 'videos')).toEqual(['ok'])
  })

  it.each([
    ['0', 'the outbox: no mail leaves, and nobody can confirm an address'],
    ['1', 'the outbox: no mail leaves, and sign-up confirms at once'],
  ])('explains sign-up without SMTP, with AUTH_MAILER_AUTOCONFIRM=%s', async (flag, seen) => {
    const bare = { ...base, NODE_ENV: 'production', AUTH_MAILER_AUTOCONFIRM: flag, DATA_DIR: folder() }
    const findings = await examine(parseConfig(bare))
    expect(findings.filter(({ part }) => part === 'mail')).toMatchObject([{ state: 'failed', seen }])
  })

  it('names each failing part and its fix, and continues', async () => {
    const closed = await closedPort()
    const findings = await examine(
      parseConfig({
        ...base,
        NODE_ENV: 'production',
        DATA_DIR: gateway.dataDir,
        DATABASE_URL: `postgres://nobody:secret-word@127.0.0.1:${closed}/none`,
        SITE_URL: 'http://creators.example.com',
        SMTP_URL: `smtp://user:secret-word@127.0.0.1:${closed}`,
        REDIS_URL: `redis://:secret-word@127.0.0.1:${closed}`,
        STRIPE_SECRET_KEY: 'sk_test_secret-word',
        STRIPE_WEBHOOK_SECRET: 'whsec_secret-word',
        STRIPE_API_BASE: `http://127.0.0.1:${closed}`,
        S3_ENDPOINT: `http://127.0.0.1:${closed}`,
        S3_BUCKET: 'bucket',
        S3_ACCESS_KEY_ID: 'key',
        S3_SECRET_ACCESS_KEY: 'secret-word',
      }),
    )
    for (const part of ['site address', 'database', 'storage', 'payments', 'mail', 'redis'])
      expect.soft(worst(findings, part), part).toEqual(['failed'])
    expect(worst(findings, 'data directory')).toEqual(['ok'])
    expect(findings.filter(({ state, fix }) => state !== 'ok' && !fix)).toEqual([])
    expect(findings).toContainEqual({
      part: 'legal pages',
      state: 'warning',
      seen: "they don't name the operator of this installation",
      fix: 'Set OPERATOR_NAME, OPERATOR_ADDRESS, OPERATOR_JURISDICTION, SUPPORT_EMAIL.',
    })
    expect(JSON.stringify(findings)).not.toMatch(/secret-word/)
  }, 240_000)

  it('finds a counter that differs from what it counts', async () => {
    await gateway.query('update private.profiles set followers_count = 7 where id = $1', [creator.profileId])
    const seen = (await examine(config)).filter(({ state }) => state === 'failed').map((finding) => finding.seen)
    await gateway.query('update private.profiles set followers_count = 1 where id = $1', [creator.profileId])
    expect(seen).toContain('private.verify_basic_counters() finds 1 difference')
  })
})

/** A port without a listener. */
function closedPort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
