import type { Plugin } from 'vite'
import { type Chunks, chunksOf, filesOf, screenOf } from './find-parts.ts'

/** What the gateway names in the document (server/http/screen-files.ts). All are paths below the site's root. */
type ScreenFiles = {
  /** The script that runs first, and the file of libraries. */
  readonly early?: string | undefined
  readonly libraries?: string | undefined
  /** By their names in contract/screens.ts: the scripts that a screen needs beyond the shell. */
  readonly screens: Record<string, string[]>
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
  const shell = new Set(all.filter(({ isEntry }) => isEntry).flatMap((entry) => filesOf(chunks, entry)))
  const named = (name: string) => all.find((chunk) => chunk.name === name)?.fileName
  const screens = all.flatMap((chunk) => {
    const screen = screenOf(chunk)
    return screen ? [[screen.module, filesOf(chunks, chunk).filter((file) => !shell.has(file))] as const] : []
  })
  return { early: named('early'), libraries: named('libraries'), screens: Object.fromEntries(screens) }
}
