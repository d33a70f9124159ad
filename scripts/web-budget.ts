import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { buildLog } from '@ovation/server/log'
import { buildWebApp } from '@ovation/server/web-build'
import type { Manifest } from 'vite'

/**
 * How much JavaScript comes before a screen shows: its own chunks and the shell's, gzip, without what is imported later (DESIGN §9).
 * Exits 1 when the shell or a screen has outgrown its ceiling, or when files import each other: whichever runs first does so without the
 * other, which only a browser shows. `--list` prints every screen. It weighs the app as the product serves it,
 * built now where it is not yet: the next start finds it.
 */
const shellCeiling = 134_500
/** With the shell (DESIGN §9). It is lowered, never raised. */
const screenCeiling = 180_000

const dist = fileURLToPath(new URL('../web/dist', import.meta.url))
await buildWebApp(buildLog({ level: 'warn' }))
const manifest: Manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))
const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry) ?? ''
const sizes = [
  { name: 'shell', bytes: weigh(manifest, [entry]), ceiling: shellCeiling },
  ...Object.keys(manifest)
    .filter((key) => key.startsWith('app/routes/'))
    .map((key) => ({
      name: key,
      bytes: weigh(manifest, [entry, key]),
      ceiling: screenCeiling,
    })),
]
for (const { name, bytes, ceiling } of sizes) {
  if (bytes <= ceiling && !process.argv.includes('--list')) continue
  console.log(`${name}: ${(bytes / 1000).toFixed(1)} kB of JavaScript (gzip), at most ${ceiling / 1000} kB`)
}
const circles = findCircles(manifest)
for (const circle of circles) console.log(`These files import each other (web/vite.config.ts): ${circle}`)
process.exitCode = circles.length > 0 || sizes.some(({ bytes, ceiling }) => bytes > ceiling) ? 1 : 0

/** Gzip bytes of these chunks and of all that they import before they run. */
function weigh(manifest: Manifest, keys: string[]): number {
  const files = new Set<string>()
  const seen = new Set<string>()
  const visit = (key: string) => {
    const chunk = manifest[key]
    if (!chunk || seen.has(key)) return
    seen.add(key)
    if (chunk.file.endsWith('.js')) files.add(chunk.file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const key of keys) visit(key)
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0)
}

/** The ways that lead from a chunk back to itself, by what is imported before it runs. */
function findCircles(manifest: Manifest): string[] {
  const circles: string[] = []
  const seen = new Set<string>()
  const visit = (key: string, path: readonly string[]) => {
    const way = [...path, key]
    if (path.includes(key))
      circles.push(
        way
          .slice(path.indexOf(key))
          .map((each) => manifest[each]?.file)
          .join(' → '),
      )
    if (seen.has(key)) return
    seen.add(key)
    for (const imported of manifest[key]?.imports ?? []) visit(imported, way)
  }
  for (const key of Object.keys(manifest)) visit(key, [])
  return circles
}
