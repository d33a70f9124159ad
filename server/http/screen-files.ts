import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findScreen } from '@ovation/contract/screens'

/** The build's list of files (web/build/screen-files.ts); empty before the first build. */
export type ScreenFiles = {
  readonly early?: string
  readonly libraries?: string
  readonly screens?: Readonly<Record<string, readonly string[]>>
  readonly fonts?: readonly string[]
}

/**
 * Links to the files of the screen at this path that the shell doesn't include. With them in the document, a browser requests the screen
 * together with the shell; otherwise it would find out only after the shell has run, a round trip later.
 * @returns HTML; empty for a path without a screen, or if the build lists none.
 */
export function screenLinks({ screens = {} }: ScreenFiles, path: string): string {
  const screen = findScreen(path)
  return screen ? (screens[screen.module] ?? []).map(linkTo).join('') : ''
}

/**
 * The first links of the document: the script that requests the first screen's data (web/app/early.ts) while the shell is still
 * loading, and the libraries, which are larger than all other files together and would wait for a connection behind small ones.
 * @returns HTML; empty if the build lists no such files.
 */
export function firstFiles({ early, libraries }: ScreenFiles): string {
  const script = early ? `<script type="module" async crossorigin src="/${early}"></script>` : ''
  return libraries ? script + linkTo(libraries) : script
}

/**
 * Links to the fonts of a page that shows before any script has run. Otherwise the browser would request them after its style sheet, and draw
 * the page twice.
 */
export const fontLinks = ({ fonts = [] }: ScreenFiles): string =>
  fonts.map((file) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}">`).join('')

const linkTo = (file: string): string => `<link rel="modulepreload" crossorigin href="/${file}">`

/** Reads the build's list, and again after each build. */
export function openScreenFiles(directory: string): () => ScreenFiles {
  const file = join(directory, '.vite', 'screens.json')
  let readAt = 0
  let files: ScreenFiles = {}
  return () => {
    const changedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (changedAt !== readAt) files = changedAt ? (JSON.parse(readFileSync(file, 'utf8')) as ScreenFiles) : {}
    readAt = changedAt
    return files
  }
}
