import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildDatabaseTypes } from './generate/database-types.ts'
import { withMigratedDatabase } from './generate/migrated-database.ts'
import { buildSchemaDump } from './generate/schema-dump.ts'

/**
 * Writes what is derived from database/migrations: `database/schema.sql`, the dump that reviews read, and `contract/database.ts`,
 * the types of the exposed schema. With `--check` it writes nothing and exits 1 when a file is stale.
 */
const outputs = [
  { path: 'database/schema.sql', build: buildSchemaDump },
  { path: 'contract/database.ts', build: buildDatabaseTypes },
]

const check = process.argv.includes('--check')
const stale: string[] = []
await withMigratedDatabase(async (client) => {
  for (const { path, build } of outputs) {
    const file = fileURLToPath(new URL(`../${path}`, import.meta.url))
    const text = await build(client)
    if (text === read(file)) continue
    stale.push(path)
    if (!check) writeFileSync(file, text)
  }
})
for (const path of stale) console.log(check ? `${path} is stale: run npm run generate` : `wrote ${path}`)
if (check && stale.length > 0) process.exitCode = 1

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
