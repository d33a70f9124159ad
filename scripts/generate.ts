import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildDatabaseTypes } from './generate/database-types.ts'
import { withMigratedDatabase } from './generate/migrated-database.ts'
import { buildSchemaFiles } from './generate/schema-files.ts'
import { root } from './run.ts'

/**
 * Writes what is derived from database/migrations: `database/schema`, the schema to read and review, and `contract/database.ts`, the types
 * of the exposed schema. With `--check` it writes nothing and exits 1 when a file is stale.
 */
const files = new Map<string, string | undefined>()
for (const path of globSync('database/schema/**/*.sql', { cwd: root })) files.set(path, undefined) // removed unless built below
await withMigratedDatabase(async (client) => {
  for (const [path, text] of await buildSchemaFiles(client)) files.set(path, text)
  files.set('contract/database.ts', await buildDatabaseTypes(client))
})

const check = process.argv.includes('--check')
for (const [path, text] of files) {
  const file = join(root, path)
  if (text === (existsSync(file) ? readFileSync(file, 'utf8') : undefined)) continue
  if (check) {
    console.log(`${path} is stale: run npm run generate`)
    process.exitCode = 1
  } else if (text === undefined) {
    rmSync(file)
    console.log(`removed ${path}`)
  } else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.log(`wrote ${path}`)
  }
}
