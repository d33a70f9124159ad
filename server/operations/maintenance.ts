import { parseConfig } from '../config.ts'
import { readMaintenance, writeMaintenance } from '../http/maintenance.ts'

/** `npm run maintenance`: closes the site for a while and opens it again, without a restart. */
const usage = 'Usage: npm run maintenance -- on [MESSAGE] | off | status'
const defaultMessage = "We're working on the site. Please come back in a few minutes."

try {
  const [command, ...words] = process.argv.slice(2)
  const { dataDir } = parseConfig(process.env)
  if (command === 'on') writeMaintenance(dataDir, words.join(' ').trim() || defaultMessage)
  else if (command === 'off') writeMaintenance(dataDir, undefined)
  else if (command !== 'status') throw new Error(usage)
  const message = readMaintenance(dataDir)
  process.stdout.write(
    message === undefined ? 'The site is open.\n' : `The site is closed. Visitors read: ${message}\n`,
  )
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
