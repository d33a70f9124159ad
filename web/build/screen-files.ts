import type { Plugin } from 'vite'
import { type Chunks, chunksOf, filesOf, latinFonts, screenOf } from './find-parts.ts'

/** What the gateway names in the document (server/http/screen-files.ts). All are paths below the site's root. */
type ScreenFiles = {
  /** The script that runs first, and the file of libraries. */
  readonly early?: string | undefined
  readonly libraries?: string | undefined
  /** By their names in contract/screens.ts: the scripts that a screen needs beyond the shell. */
  readonly screens: Record<string, string[]>
  /** The fonts of most texts. */
  readonly fonts: string[]
}

/** Writes down which files each screen needs before it shows, as the bundler laid them out. */
export function screenFiles(): Plugin {
  return {
    name: 'screen-files',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const fonts = Object.keys(bundle).filter((name) => latinFonts.test(name))
        const files: ScreenFiles = { ...describe(chunksOf(Object.values(bundle))), fonts }
        const source = JSON.stringify(files, null, 1)
        this.emitFile({ type: 'asset', fileName: '.vite/screens.json', source })
      },
    },
  }
}

function describe(chunks: Chunks): Omit<ScreenFiles, 'fonts'> {
  const all = [...chunks.values()]
  const shell = new Set(all.filter(({ isEntry }) => isEntry).flatMap((entry) => filesOf(chunks, entry)))
  const named = (name: string) => all.find((chunk) => chunk.name === name)?.fileName
  const screens = all.flatMap((chunk) => {
    const screen = screenOf(chunk)
    return screen ? [[screen.module, filesOf(chunks, chunk).filter((file) => !shell.has(file))] as const] : []
  })
  return { early: named('early'), libraries: named('libraries'), screens: Object.fromEntries(screens) }
}
