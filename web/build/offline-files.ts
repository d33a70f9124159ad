import type { Plugin } from 'vite'
import { type Chunks, chunksOf, filesOf, latinFonts, screenOf } from './find-parts.ts'

/** The screens that open without a connection (LOOP-22). */
const offlineScreens = new Set(['home', 'messages', 'post'])
/** Charts, players, and the like, which show nothing without a connection. */
const maxLazyBytes = 100_000
const styleSheet = /\/style-.*\.css$/

/** Writes down which files the service worker keeps (public/service-worker.js). */
export function offlineFiles(): Plugin {
  return {
    name: 'offline-files',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const names = Object.keys(bundle)
        const files = listFiles(chunksOf(Object.values(bundle)))
        files.push(...names.filter((name) => styleSheet.test(name) || latinFonts.test(name)))
        const source = `self.offlineFiles = ${JSON.stringify(files.sort().map((file) => `/${file}`))}\n`
        this.emitFile({ type: 'asset', fileName: 'offline-files.js', source })
      },
    },
  }
}

/** The shell and the offline screens, with what they import later, except other screens and what is large. */
export function listFiles(chunks: Chunks): string[] {
  const found = new Set<string>()
  const waiting = [...chunks.values()].filter(
    (chunk) => chunk.isEntry || offlineScreens.has(screenOf(chunk)?.module ?? ''),
  )
  const seen = new Set(waiting)
  for (let chunk = waiting.pop(); chunk; chunk = waiting.pop()) {
    for (const file of filesOf(chunks, chunk)) {
      found.add(file)
      for (const name of chunks.get(file)?.dynamicImports ?? []) {
        const later = chunks.get(name)
        if (!later || seen.has(later) || screenOf(later) || later.code.length > maxLazyBytes) continue
        seen.add(later)
        waiting.push(later)
      }
    }
  }
  return [...found]
}
