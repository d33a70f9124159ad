import type { Plugin } from 'vite'
import { type Chunks, chunksOf, filesOf, screenOf } from './find-parts.ts'

/** What the gateway names in the document (server/http/screen-files.ts). All are paths below the site's root. */
type ScreenFiles = {
  /** The script that runs first, and the file of libraries. */
  readonly early?: string | undefined
  readonly libraries?: string | undefined
  /** By their names in contract/screens.ts: the scripts and styles that a screen needs beyond the shell. */
  readonly screens: Record<string, string[]>
  /** The styles of what a screen loads once it shows: a page that the server has rendered shows it at once. */
  readonly lazyStyles: Record<string, string[]>
}

/** Writes down which files each screen needs before it shows, as the bundler laid them out. */
export function screenFiles(): Plugin {
  return {
    name: 'screen-files',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = chunksOf(Object.values(bundle))
        const source = JSON.stringify(describe(chunks), null, 1)
        this.emitFile({ type: 'asset', fileName: '.vite/screens.json', source })
      },
    },
  }
}

function describe(chunks: Chunks): ScreenFiles {
  const all = [...chunks.values()]
  const shell = new Set(
    all.filter(({ isEntry }) => isEntry).flatMap((entry) => withStyles(chunks, filesOf(chunks, entry))),
  )
  const named = (name: string) => all.find((chunk) => chunk.name === name)?.fileName
  const screens = all.flatMap((chunk) => {
    const screen = screenOf(chunk)
    if (!screen) return []
    return [[screen.module, withStyles(chunks, filesOf(chunks, chunk)).filter((file) => !shell.has(file))]] as const
  })
  const lazyStyles = screens.map(([module, files]) => {
    const lazy = files.flatMap((file) => chunks.get(file)?.dynamicImports ?? [])
    const styles = lazy.flatMap((file) => {
      const chunk = chunks.get(file)
      return chunk ? withStyles(chunks, filesOf(chunks, chunk)).filter((each) => each.endsWith('.css')) : []
    })
    return [module, [...new Set(styles)].filter((style) => !shell.has(style) && !files.includes(style))] as const
  })
  return {
    early: named('early'),
    libraries: named('libraries'),
    screens: Object.fromEntries(screens),
    lazyStyles: Object.fromEntries(lazyStyles),
  }
}

const withStyles = (chunks: Chunks, files: string[]): string[] => [
  ...new Set(files.flatMap((file) => [file, ...(chunks.get(file)?.viteMetadata?.importedCss ?? [])])),
]
