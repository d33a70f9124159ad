import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The names of all files in a folder and in those that are in it, in order; none where the folder is not there. */
export function filesBelow(...path: string[]): string[] {
  const folder = join(...path)
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted()
}
