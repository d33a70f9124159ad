import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { pino } from 'pino'
import { type Config, parseConfig } from '../config.ts'
import { isLoopback } from '../http/loopback.ts'
import { buildStripe } from '../payments/stripe.ts'
import { migrationNames, withClient } from '../postgres/migrate.ts'
import { describeNewer, findNewerMigrations } from '../postgres/newer-schema.ts'
import {
  findDatabaseFaults,
  findMissingMemberships,
  membershipFaults,
  outsideAddresses,
} from '../postgres/outside-database.ts'
import { openRedis } from '../redis.ts'
import { readSecrets } from '../secrets.ts'
import { buildStore, storageFolder } from '../storage/build-store.ts'
import { findFfmpeg } from '../storage/video/find-ffmpeg.ts'
import { openDatabaseForCommand } from './database-for-command.ts'
import { findDifferences } from './find-differences.ts'

/** A checked part, the finding, and the fix. */
export type Finding = {
  readonly part: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly seen: string
  readonly fix?: string
}

type Check = {
  readonly look: (config: Config) => Promise<readonly Finding[]>
  /** The advice when the check itself fails. */
  readonly fix: string
}

const freeBytesWanted = 5 * 1024 ** 3
const smtpPatienceMs = 10_000
const filesPatienceMs = 5_000

/**
 * `npm run doctor`: checks every outside part in the way the product uses it, and settings that are often wrong. It changes nothing, and
 * can run beside the product. The configuration is already parsed (`parseConfig` names every invalid variable).
 */
export async function examine(config: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [part, { look, fix }] of Object.entries(checks)) {
    try {
      findings.push(...(await look(config)))
    } catch (error) {
      // A check that fails is itself a finding; the next ones still run.
      findings.push({ part, state: 'failed', seen: error instanceof Error ? error.message : String(error), fix })
    }
  }
  return findings
}

const checks: Readonly<Record<string, Check>> = {
  'data directory': {
    look: checkDataDir,
    fix: 'Check DATA_DIR: its disk, and the permissions of the user who runs the product.',
  },
  'site address': { look: checkSite, fix: 'Check SITE_URL.' },
  'files address': { look: checkFilesUrl, fix: 'Check FILES_URL.' },
  'legal pages': { look: checkOperator, fix: 'Check OPERATOR_* and SUPPORT_EMAIL.' },
  database: {
    look: checkDatabase,
    fix: 'Check DATABASE_URL: host, port, user, and password, and whether PostgreSQL runs.',
  },
  storage: { look: checkStorage, fix: 'Check S3_*, or DATA_DIR/storage.' },
  payments: { look: checkPayments, fix: 'Check STRIPE_*.' },
  mail: { look: checkMail, fix: 'Check SMTP_URL.' },
  videos: { look: checkVideos, fix: 'Check FFMPEG_PATH.' },
  redis: { look: checkRedis, fix: 'Check REDIS_URL: host, port, and password, and whether Redis runs.' },
}

async function checkDataDir({ dataDir, minFreeBytes }: Config): Promise<Finding[]> {
  const part = 'data directory'
  if (!existsSync(dataDir)) {
    return [
      { part, state: 'warning', seen: `${dataDir} doesn't exist yet`, fix: 'The first start creates it: npm start.' },
    ]
  }
  try {
    accessSync(dataDir, constants.W_OK)
  } catch {
    return [
      {
        part,
        state: 'failed',
        seen: `${dataDir} can't be written to`,
        fix: 'Make the user who runs the product its owner.',
      },
    ]
  }
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const seen = `${dataDir}, ${(free / 1024 ** 3).toFixed(1)} GB free`
  if (free < minFreeBytes)
    return [{ part, state: 'failed', seen, fix: 'Free some space: uploads and writes fail when the disk is full.' }]
  if ((statSync(dataDir).mode & 0o004) !== 0)
    return [
      {
        part,
        state: 'warning',
        seen: `${dataDir} can be listed by every user of this machine`,
        fix: `chmod 700 ${dataDir}`,
      },
    ]
  if (free < freeBytesWanted) return [{ part, state: 'warning', seen, fix: 'Free some space: a video may have 1 GB.' }]
  return [{ part, state: 'ok', seen }]
}

async function checkSite({ environment, siteUrl, adminEmail, host, trustedProxies }: Config): Promise<Finding[]> {
  const part = 'site address'
  const findings: Finding[] = []
  if (siteUrl === undefined) {
    findings.push(
      environment === 'production'
        ? {
            part,
            state: 'failed',
            seen: 'SITE_URL is not set',
            fix: 'Set it to the address that people use: links in emails need it.',
          }
        : { part, state: 'ok', seen: 'the address that the server listens on' },
    )
  } else if (environment === 'production' && !siteUrl.startsWith('https:')) {
    findings.push({
      part,
      state: 'failed',
      seen: siteUrl,
      fix: 'Put the product behind a proxy with TLS, and set SITE_URL to https://…',
    })
  } else {
    findings.push({ part, state: 'ok', seen: siteUrl })
  }
  if (environment === 'production' && !isLoopback(host) && trustedProxies.join() === 'loopback')
    findings.push({
      part: 'proxy',
      state: 'warning',
      seen: `HOST is ${host}, and TRUSTED_PROXIES names only this machine`,
      fix: 'Set TRUSTED_PROXIES to the addresses of your proxy, or all visitors count as one in limits and logs.',
    })
  if (adminEmail !== undefined)
    findings.push({ part: 'admin', state: 'ok', seen: `${adminEmail}, once an account with that address is confirmed` })
  else {
    findings.push({
      part: 'admin',
      state: 'warning',
      seen: 'ADMIN_EMAIL is not set',
      fix: 'Set it, and sign up with that address.',
    })
  }
  return findings
}

const namesOfOperator = {
  name: 'OPERATOR_NAME',
  address: 'OPERATOR_ADDRESS',
  jurisdiction: 'OPERATOR_JURISDICTION',
  supportEmail: 'SUPPORT_EMAIL',
} as const

/** Whether the CDN passes requests on to an installation. Only a warning, because that one may not be running. */
export async function checkFilesUrl({ filesUrl }: Pick<Config, 'filesUrl'>): Promise<Finding[]> {
  if (filesUrl === undefined) return []
  const part = 'files address'
  const fix = "Check FILES_URL and the CDN's origin, and run the doctor while the product runs."
  try {
    const answer = await fetch(`${filesUrl}/storage/v1/version`, { signal: AbortSignal.timeout(filesPatienceMs) })
    const isOurs = answer.ok && /^\d+\.\d+\.\d+/.test(await answer.text())
    return [
      isOurs
        ? { part, state: 'ok', seen: filesUrl }
        : { part, state: 'warning', seen: `${filesUrl} doesn't pass requests on (${answer.status})`, fix },
    ]
  } catch {
    return [{ part, state: 'warning', seen: `${filesUrl} doesn't answer`, fix }]
  }
}

/** Privacy Policy, Terms of Service, and Support name the operator (STAT-07). */
async function checkOperator({ environment, operator }: Config): Promise<Finding[]> {
  const part = 'legal pages'
  const unset = parseConfig({}).operator
  const missing = Object.entries(namesOfOperator).filter(
    ([key]) => operator[key as keyof typeof namesOfOperator] === unset[key as keyof typeof namesOfOperator],
  )
  if (environment !== 'production' || missing.length === 0)
    return [{ part, state: 'ok', seen: [operator.name, operator.supportEmail].filter(Boolean).join(', ') }]
  const names = missing.map(([, variable]) => variable).join(', ')
  return [{ part, state: 'warning', seen: "they don't name the operator of this installation", fix: `Set ${names}.` }]
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  const part = 'database'
  const outside = outsideAddresses(config)
  const faults = outside ? await findDatabaseFaults(outside, config, config.migrate) : []
  if (faults.length > 0) return faults.map(({ seen, fix }) => ({ part, state: 'failed', seen, fix: `${fix}.` }))
  if (!outside && !existsSync(join(config.dataDir, 'postgres')))
    return [{ part, state: 'warning', seen: 'there is none yet', fix: 'The first start creates it: npm start.' }]
  const database = await openDatabaseForCommand(config, await readSecrets(config))
  try {
    return await withClient(database.ownerUrl, async (client) => {
      const { rows } = await client.query<{
        name: string
        cost: string
        used: boolean
      }>(
        `select current_setting('server_version') as name, current_setting('random_page_cost') as cost,
           to_regclass('private.migrations') is not null as used`,
      )
      const [found] = rows
      if (!found) return []
      const findings: Finding[] = []
      const say = (state: Finding['state'], seen: string, fix?: string) =>
        findings.push({ part, state, seen, ...(fix !== undefined && { fix }) })
      say('ok', `PostgreSQL ${found.name}`)
      if (Number(found.cost) > 2)
        say('warning', `random_page_cost is ${found.cost}`, 'On SSDs: alter database … set random_page_cost = 1.1.')
      if (!found.used) {
        say('warning', 'it has no tables yet', 'Start the product: it migrates the database.')
        return findings
      }
      const { databasePooling } = config
      const urls = outside ? [outside.requestUrl, ...(databasePooling === 'transaction' ? [outside.ownerUrl] : [])] : []
      for (const url of urls)
        for (const { seen, fix } of membershipFaults(await findMissingMemberships(url))) say('failed', seen, fix)
      const { rows: applied } = await client.query<{ name: string }>('select name from private.migrations')
      const known = new Set(applied.map(({ name }) => name))
      const missing = migrationNames().filter((name) => !known.has(name))
      if (missing.length > 0)
        say(
          'warning',
          `${missing.length} migrations wait, ${missing[0]} first`,
          'Start the product: it migrates the database.',
        )
      const newer = describeNewer(await findNewerMigrations(database.ownerUrl))
      if (newer !== undefined) {
        say(config.migrate ? 'failed' : 'warning', newer)
        return findings
      }
      const differences = missing.length > 0 ? [] : await findDifferences(client)
      for (const difference of differences)
        say('failed', difference, 'Please report it, with what these functions return.')
      const { rows: slots } = await client.query<{ name: string; bytes: string }>(
        `select slot_name as name, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::text as bytes from pg_replication_slots
         where not active and restart_lsn is not null`,
      )
      for (const { name, bytes } of slots)
        say(
          'warning',
          `replication slot ${name} has no reader and holds ${bytes} bytes of log`,
          `select pg_drop_replication_slot('${name}')`,
        )
      return findings
    })
  } finally {
    await database.stop()
  }
}

async function checkStorage(config: Config): Promise<Finding[]> {
  const part = 'storage'
  const where = config.s3 ? `S3 bucket ${config.s3.bucket}` : 'the disk'
  // A check would create it, and `restore` needs an empty DATA_DIR.
  if (!config.s3 && !existsSync(storageFolder(config))) return [{ part, state: 'ok', seen: 'the disk: nothing yet' }]
  try {
    const store = await buildStore(config)
    await store.check()
    return [{ part, state: 'ok', seen: where }]
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    return [
      {
        part,
        state: 'failed',
        seen: `${where}: ${said}`,
        fix: config.s3 ? 'Check S3_*.' : 'Check the permissions and the free space of DATA_DIR/storage.',
      },
    ]
  }
}

async function checkPayments(config: Config): Promise<Finding[]> {
  const part = 'payments'
  if (config.stripe.secretKey === undefined && config.stripe.apiBase === undefined) {
    const seen = 'the sandbox: no money moves'
    return config.environment === 'production'
      ? [{ part, state: 'warning', seen, fix: 'Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.' }]
      : [{ part, state: 'ok', seen }]
  }
  const stripe = buildStripe(config, await readSecrets(config), undefined)
  try {
    await stripe.api.balance.retrieve()
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    return [
      {
        part,
        state: 'failed',
        seen: `Stripe rejects the key or doesn't answer: ${said}`,
        fix: 'Check STRIPE_SECRET_KEY and the network.',
      },
    ]
  }
  const findings: Finding[] = [{ part, state: 'ok', seen: `Stripe, ${stripe.mode}` }]
  if (config.environment === 'production' && stripe.mode !== 'live')
    findings.push({
      part,
      state: 'warning',
      seen: 'the key is a test key',
      fix: 'Set the live STRIPE_SECRET_KEY when you are ready.',
    })
  if (stripe.clientId === undefined)
    findings.push({
      part,
      state: 'warning',
      seen: 'STRIPE_CLIENT_ID is not set',
      fix: "Creators can't connect an account they have; new ones work.",
    })
  return findings
}

async function checkMail({ smtpUrl, environment, auth }: Config): Promise<Finding[]> {
  const part = 'mail'
  if (smtpUrl === undefined) {
    const seen = `the outbox: no mail leaves, and ${auth.mailerAutoconfirm ? 'sign-up confirms at once' : 'nobody can confirm an address'}`
    return environment === 'production'
      ? [
          {
            part,
            state: 'failed',
            seen,
            fix: 'Set SMTP_URL: without it people can neither confirm an address nor reset a password.',
          },
        ]
      : [{ part, state: 'ok', seen }]
  }
  const transport = createTransport(smtpUrl, {
    connectionTimeout: smtpPatienceMs,
    greetingTimeout: smtpPatienceMs,
  } as object)
  try {
    await transport.verify()
    return [{ part, state: 'ok', seen: 'the SMTP server accepts our sign-in' }]
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    return [
      {
        part,
        state: 'failed',
        seen: `the SMTP server: ${said}`,
        fix: 'Check SMTP_URL: host, port, user, and password.',
      },
    ]
  } finally {
    transport.close()
  }
}

async function checkVideos(config: Config): Promise<Finding[]> {
  const part = 'videos'
  const program = findFfmpeg(config)
  if (program !== undefined) return [{ part, state: 'ok', seen: `${program} prepares them` }]
  return [
    {
      part,
      state: 'warning',
      seen: 'FFmpeg is missing: videos play as uploaded, without a poster, a duration, and streams for slow connections, and voice messages are rejected',
      fix: 'Install FFmpeg, or set FFMPEG_PATH. Existing videos are then transcoded.',
    },
  ]
}

async function checkRedis(config: Config): Promise<Finding[]> {
  const part = 'redis'
  if (config.redisUrl === undefined) return [{ part, state: 'ok', seen: 'not set: this node is the only one' }]
  const redis = await openRedis({
    url: config.redisUrl,
    secrets: await readSecrets(config),
    log: pino({ level: 'silent' }),
  })
  try {
    await redis.commands.ping()
  } finally {
    await redis.close()
  }
  return [{ part, state: 'ok', seen: 'it answers' }]
}
