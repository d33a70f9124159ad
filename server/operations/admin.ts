import { parseConfig } from '../config.ts'
import { withClient } from '../postgres/migrate.ts'
import { readSecrets } from '../secrets.ts'
import { act, acts, listAdmins } from './accounts.ts'
import { openDatabaseForCommand } from './database-for-command.ts'

/** `npm run admin`: accounts, from the command line of the machine. Works beside the running product, and without it. */
const usage = `Usage: npm run admin -- list
       npm run admin -- ${Object.keys(acts).join(' | ')} EMAIL_OR_USERNAME [REASON]`

try {
  const [command = '', name, ...words] = process.argv.slice(2)
  const action = acts[command]
  const reason = words.join(' ').trim()
  if (command !== 'list' && (!action || !name || (action.needsReason ? reason === '' : reason !== '')))
    throw new Error(usage)
  const config = parseConfig(process.env)
  const database = await openDatabaseForCommand(config, await readSecrets(config))
  try {
    await withClient(database.ownerUrl, async (client) => {
      if (action && name) return say(await act(client, action, name, reason))
      const admins = await listAdmins(client)
      if (admins.length === 0) say('Nobody is an admin. Make one: npm run admin -- make EMAIL_OR_USERNAME')
      for (const { email, username, secondFactors, isSuspended } of admins)
        say(`${email} (@${username}), second factors: ${secondFactors}${isSuspended ? ', suspended' : ''}`)
    })
  } finally {
    await database.stop()
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}
