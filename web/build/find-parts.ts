import { join, parse } from 'node:path'
import { type Screen, screens } from '@ovation/contract/screens'
import type { Rolldown } from 'vite'
import type { Part } from './lay-out-files.ts'

export type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>

/** The fonts of most texts. Other alphabets' fonts load when a text needs them. */
export const latinFonts = /\/(inter|fraunces)-latin-wght-normal-.*\.woff2$/

const routes = join(import.meta.dirname, '../app/routes')

/** The screen (contract/screens.ts) whose file in `app/routes` this chunk was made for. */
export function screenOf({ facadeModuleId }: Rolldown.OutputChunk): Screen | undefined {
  const { dir, name } = parse(facadeModuleId ?? '')
  return dir === routes ? screens.find(({ module }) => module === name) : undefined
}

/** The chunks of a build, by file name. */
export const chunksOf = (output: readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[]): Chunks =>
  new Map(output.flatMap((each) => (each.type === 'chunk' ? [[each.fileName, each]] : [])))

/**
 * The parts that several screens share, from a build in which Rolldown groups modules by the entries that need them.
 * Excludes the shell's modules, modules of a single screen, and lazy imports.
 */
export function findParts(chunks: Chunks): Part[] {
  const shell = new Set(
    [...chunks.values()].filter(({ isEntry }) => isEntry).flatMap((entry) => filesOf(chunks, entry)),
  )
  const screensOf = new Map<string, Set<string>>()
  for (const chunk of chunks.values()) {
    const screen = screenOf(chunk)?.module
    if (!screen) continue
    for (const file of filesOf(chunks, chunk)) {
      if (file === chunk.fileName || shell.has(file)) continue
      screensOf.set(file, (screensOf.get(file) ?? new Set()).add(screen))
    }
  }
  const modulesOf = (file: string) => Object.entries(chunks.get(file)?.modules ?? {})
  const bytesOf = (file: string) => modulesOf(file).reduce((sum, [, { renderedLength }]) => sum + renderedLength, 0)
  // Sorted neither by module names, which must not decide anything, nor by file names, which change with the content.
  const rank = (file: string) => [[...(screensOf.get(file) ?? [])].sort().join(), bytesOf(file)] as const
  const files = [...screensOf.keys()].sort((one, other) => {
    const [[a, sizeOfA], [b, sizeOfB]] = [rank(one), rank(other)]
    return a === b ? sizeOfA - sizeOfB : a < b ? -1 : 1
  })
  return files.map((file) => ({
    screens: screensOf.get(file) ?? new Set(),
    modules: modulesOf(file).map(([id]) => id),
    bytes: bytesOf(file),
    imports: new Set((chunks.get(file)?.imports ?? []).map((each) => files.indexOf(each)).filter((at) => at >= 0)),
  }))
}

/** A chunk and its static imports, by file name. */
export function filesOf(chunks: Chunks, { fileName }: Rolldown.OutputChunk): string[] {
  const found = new Set<string>()
  const waiting = [fileName]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue
    found.add(file)
    waiting.push(...(chunks.get(file)?.imports ?? []))
  }
  return [...found]
}
