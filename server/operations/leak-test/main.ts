import { parseConfig } from '../../config.ts'
import { readSecrets } from '../../secrets.ts'
import { openDatabaseForCommand } from '../database-for-command.ts'
import { runLeakTest } from './run.ts'

/** `npm run leak-test [-- URL]`: tries to reach locked content in the running installation. Exits with 1 when something was reached. */
try {
  const config = parseConfig(process.env)
  const secrets = await readSecrets(config)
  const url = process.argv[2] ?? `http://127.0.0.1:${config.port}`
  const database = await openDatabaseForCommand(config, secrets)
  try {
    const { attempts, reached, unproven } = await runLeakTest({
      url,
      anonKey: secrets.anonKey,
      serviceRoleKey: secrets.serviceRoleKey,
      encryptionKey: secrets.encryptionKey,
      ownerUrl: database.ownerUrl,
    })
    for (const line of [...reached, ...unproven]) process.stdout.write(`${line}\n`)
    process.stdout.write(`${reached.length} of ${attempts} reached\n`)
    if (reached.length + unproven.length > 0) process.exitCode = 1
  } finally {
    await database.stop()
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
