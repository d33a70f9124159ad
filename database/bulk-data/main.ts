import { hashPassword } from '@ovation/server/auth/passwords/passwords'
import { parseConfig } from '@ovation/server/config'
import { lockDataDir } from '@ovation/server/data-lock'
import { migrate, withClient } from '@ovation/server/postgres/migrate'
import { openDatabase } from '@ovation/server/postgres/open'
import { loadSecrets } from '@ovation/server/secrets'
import { pino } from 'pino'
import { ArgumentError, parseArguments, type SeedArguments, usage } from './arguments.ts'
import { seedDatabase } from './seed.ts'

/** `npm run seed`: see usage, and database/bulk-data/README.md. */
try {
  const args = process.argv.slice(2)
  if (args.includes('--help')) process.stdout.write(usage)
  else await run(parseArguments(args, new Date()))
} catch (error) {
  // One sentence explains the error to the operator.
  process.stderr.write(`Nothing was seeded. ${error instanceof Error ? error.message : String(error)}\n`)
  if (error instanceof ArgumentError) process.stderr.write(`\n${usage}`)
  process.exitCode = 1
}

async function run({ plan, databaseUrl, password }: SeedArguments) {
  const startedAt = performance.now()
  const passwordHash = password === undefined ? null : await hashPassword(password)
  await withOpened(databaseUrl, (url) =>
    withClient(url, (client) => seedDatabase(client, { plan, passwordHash, onTable: printTable })),
  )
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`Seeded in ${seconds} s. Pictures are recorded, not stored: their addresses answer 404.\n`)
}

/** The outside database, or the embedded one while the product isn't running. */
async function withOpened(databaseUrl: string | undefined, work: (ownerUrl: string) => Promise<void>) {
  const config = parseConfig({ ...process.env, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) })
  if (config.databaseUrl !== undefined) {
    await migrate(config.databaseUrl)
    return work(config.databaseUrl)
  }
  const lock = lockDataDir(config.dataDir)
  try {
    const log = pino({ level: config.logLevel }, pino.destination(2))
    const database = await openDatabase(config, await loadSecrets(config), log)
    try {
      await work(database.ownerUrl)
    } finally {
      await database.stop()
    }
  } finally {
    lock.release()
  }
}

function printTable(table: string, rows: number, seconds: number) {
  process.stdout.write(
    `${table.padEnd(32)} ${rows.toLocaleString('en').padStart(12)} rows ${seconds.toFixed(1).padStart(7)} s\n`,
  )
}
