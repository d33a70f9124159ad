import { parseArgs } from 'node:util'
import { parseConfig } from '../config.ts'
import { readSecrets } from '../secrets.ts'
import { backup } from './backup.ts'
import { openDatabaseForCommand } from './database-for-command.ts'
import { examine, type Finding } from './doctor.ts'
import { nextGeneration, parseKeep, removeOldGenerations } from './generations.ts'
import { applyOwnMigrations } from './own-migrations.ts'
import { restore } from './restore.ts'

/** `npm run backup | restore | doctor | migrate`: an operator's commands beside the running product. Exits with 1 on failure. */
const usage =
  'Usage: npm run backup -- DIRECTORY [--keep N] | npm run restore -- DIRECTORY | npm run doctor | npm run migrate -- FOLDER'
const marks: Readonly<Record<Finding['state'], string>> = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' }

try {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { keep: { type: 'string' } } })
  const [command, directory] = positionals
  const config = parseConfig(process.env)
  if (command === 'doctor') await tellFindings(await examine(config))
  else if (command === 'backup' && directory) await tellBackup(directory, values.keep)
  else if (command === 'restore' && directory) await tellRestore(directory)
  else if (command === 'migrate' && directory) await tellMigrated(directory)
  else throw new Error(usage)

  async function tellBackup(folder: string, keep: string | undefined) {
    const kept = keep === undefined ? undefined : parseKeep(keep)
    const target = kept === undefined ? folder : nextGeneration(folder)
    const { tables, files, takenAt } = await backup(config, target)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    say(
      `${rows} rows of ${tables.length} tables and ${files.count} files (${files.bytes} bytes), as they were at ${takenAt}, are in ${target}.`,
    )
    say('It holds every secret of this installation: protect it like one.')
    if (kept === undefined) return
    for (const removed of await removeOldGenerations(folder, kept)) say(`Removed ${removed}.`)
  }

  async function tellRestore(source: string) {
    const { manifest, files, differences } = await restore(config, source)
    say(`Restored what was taken at ${manifest.takenAt}: ${manifest.tables.length} tables and ${files} files.`)
    for (const difference of differences) say(`FAILED  ${difference}`)
    if (differences.length > 0) process.exitCode = 1
  }

  async function tellMigrated(folder: string) {
    const database = await openDatabaseForCommand(config, await readSecrets(config))
    try {
      const applied = await applyOwnMigrations(database.ownerUrl, folder)
      for (const file of applied) say(`Applied ${file}.`)
      if (applied.length === 0) say('Nothing to apply.')
    } finally {
      await database.stop()
    }
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

function tellFindings(findings: readonly Finding[]) {
  for (const { part, state, seen, fix } of findings) {
    say(`${marks[state]} ${part}: ${seen}`)
    if (fix) say(`        ${fix}`)
  }
  if (findings.some(({ state }) => state === 'failed')) process.exitCode = 1
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}
