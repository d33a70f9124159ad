import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.ts'

/** Writes a generated page; with `--check` it only says, and fails, when the page on disk is another. */
export function writeOrCheck(path: string, page: string) {
  const target = join(root, path)
  if (!process.argv.includes('--check')) return writeFileSync(target, page)
  if (existsSync(target) && readFileSync(target, 'utf8') === page) return
  console.error(`${path} is stale: npm run generate`)
  process.exitCode = 1
}
