import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The names of all files in a folder and its subfolders, sorted; none if the folder doesn't exist. */
export function filesBelow(...path: string[]): string[] {
  const folder = join(...path)
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted()
}
