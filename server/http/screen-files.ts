import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findScreen } from '@ovation/contract/screens'

/** What Vite says of a built file (https://vite.dev/guide/backend-integration), as far as it is read here. */
type Chunk = { readonly file: string; readonly isEntry?: true; readonly imports?: string[]; readonly css?: string[] }
export type BuiltFiles = Readonly<Record<string, Chunk>>

/**
 * Links to the files of the screen at this path that the shell does not bring. With them in the document a browser asks for the screen
 * together with the shell; else it would hear of it only when the shell has run, one round trip and all that work later.
 * @returns HTML; empty for a path whose screen is not found among the files, which then load as they always did.
 */
export function screenLinks(files: BuiltFiles, path: string): string {
  const module = findScreen(path)?.module
  const screen = [`app/routes/${module}.ts`, `app/routes/${module}.tsx`].find((key) => files[key])
  const entry = Object.keys(files).find((key) => files[key]?.isEntry)
  if (!screen || !entry) return ''
  const known = filesOf(files, entry)
  const links = [...filesOf(files, screen)].filter((file) => !known.has(file)).map(linkTo)
  return links.join('')
}

/**
 * What the document names before all else: the script that asks for the first screen's data (web/app/early.ts) while the shell, which brings
 * it along for browsers that did not run it yet, is still on its way; and the libraries, which are larger than all other files together and
 * would wait for a connection behind small ones. @returns HTML; empty where the build has no such files.
 */
export function firstFiles(files: BuiltFiles): string {
  const entry = Object.values(files).find(({ isEntry }) => isEntry)
  const fileOf = (name: string) => {
    const key = entry?.imports?.find((imported) => imported.startsWith(`_${name}-`))
    return key && files[key]?.file
  }
  const [early, libraries] = [fileOf('early'), fileOf('libraries')]
  const script = early ? `<script type="module" async crossorigin src="/${early}"></script>` : ''
  return libraries ? script + linkTo(libraries) : script
}

const linkTo = (file: string): string =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin href="/${file}">`

/** A chunk's own files and those of all that it imports before it runs. */
function filesOf(files: BuiltFiles, key: string, found = new Set<string>()): Set<string> {
  const chunk = files[key]
  if (!chunk || found.has(chunk.file)) return found
  found.add(chunk.file)
  for (const sheet of chunk.css ?? []) found.add(sheet)
  for (const imported of chunk.imports ?? []) filesOf(files, imported, found)
  return found
}

/** Reads what was built, and again after it has been built anew. @returns an empty list where the build names no files. */
export function openBuiltFiles(directory: string): () => BuiltFiles {
  const file = join(directory, '.vite', 'manifest.json')
  let readAt = 0
  let files: BuiltFiles = {}
  return () => {
    const changedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (changedAt !== readAt) files = changedAt ? (JSON.parse(readFileSync(file, 'utf8')) as BuiltFiles) : {}
    readAt = changedAt
    return files
  }
}
