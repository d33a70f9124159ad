import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'

const root = fileURLToPath(new URL('..', import.meta.url))
const web = join(root, 'web')
const stamp = join(web, 'dist', '.sources')
/** Directories whose files end up in the built app. */
const sources = ['web', 'contract']
const ignored = new Set(['node_modules', 'dist', 'test-output'])

/** Builds the web app when its sources are newer than the build: at the first start, and after an update. */
export async function buildWebApp(log: FastifyBaseLogger): Promise<void> {
  const current = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === current) return
  log.info('building the web app')
  await runVite()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, current)
}

/** Names, sizes and times of all source files: enough to see a change, and read in milliseconds. */
function fingerprint(): string {
  const hash = createHash('sha256')
  const visit = (directory: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (ignored.has(entry.name)) continue
      const path = join(directory, entry.name)
      if (entry.isDirectory()) visit(path)
      else if (!entry.name.includes('.test.')) {
        const { size, mtimeMs } = statSync(path)
        hash.update(`${path}\0${size}\0${mtimeMs}\n`)
      }
    }
  }
  for (const source of sources) visit(join(root, source))
  hash.update(String(statSync(join(root, 'package-lock.json')).mtimeMs))
  return hash.digest('hex')
}

/** In a process of its own: the bundler's memory ends with it. */
function runVite(): Promise<void> {
  const vite = join(dirname(createRequire(join(web, 'package.json')).resolve('vite/package.json')), 'bin', 'vite.js')
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
      cwd: web,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4_000)
    })
    child.once('error', failed)
    child.once('exit', (code) =>
      code === 0 ? done() : failed(new Error(`The web app could not be built: ${output.trim()}`)),
    )
  })
}
