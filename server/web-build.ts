import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'

const root = fileURLToPath(new URL('..', import.meta.url))
const web = join(root, 'web')
const built = join(web, 'dist')
const stampName = '.sources'
/** Directories whose files end up in the built app. */
const sources = ['web', 'contract']
const ignored = new Set(['node_modules', 'dist', 'test-output'])

/**
 * Builds the web app when its sources are newer than the build: at the first start, and after an update. It is built beside and
 * swapped in whole, so that another product on the same checkout never serves half of it. Aborted, it leaves what was there.
 */
export async function buildWebApp(log: FastifyBaseLogger, signal?: AbortSignal): Promise<void> {
  const current = fingerprint()
  const stamp = join(built, stampName)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === current) return
  log.info('building the web app')
  const fresh = `${built}.${process.pid}`
  try {
    // Beside the other, which empties its folder first.
    const forServer = `${fresh}.server`
    try {
      await Promise.all([
        runVite(['--outDir', fresh], signal),
        runVite(['--ssr', 'app/server-page.tsx', '--outDir', forServer], signal),
      ])
      renameSync(forServer, join(fresh, '.server'))
    } finally {
      rmSync(forServer, { recursive: true, force: true })
    }
    writeFileSync(join(fresh, stampName), current)
    rmSync(built, { recursive: true, force: true })
    renameSync(fresh, built)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Names, sizes and times of all source files: enough to see a change, and read in milliseconds. */
function fingerprint(): string {
  const hash = createHash('sha256')
  const visit = (directory: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (ignored.has(entry.name) || entry.name.startsWith('dist.')) continue
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

/**
 * In a process of its own: the bundler's memory ends with it. It writes below `web` only, because ovation.service lets it write nowhere else:
 * Vite's own loader of configurations would write to node_modules.
 */
export function runVite(options: readonly string[], signal?: AbortSignal): Promise<void> {
  const vite = join(dirname(createRequire(join(web, 'package.json')).resolve('vite/package.json')), 'bin', 'vite.js')
  return new Promise((done, failed) => {
    const child = spawn(
      process.execPath,
      [vite, 'build', '--configLoader', 'native', '--logLevel', 'warn', ...options],
      {
        cwd: web,
        stdio: ['ignore', 'ignore', 'pipe'],
        // Whatever this process runs as: people get the app that was made for them, and not React's slower one for developers.
        env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
      },
    )
    const kill = () => void child.kill('SIGKILL')
    signal?.addEventListener('abort', kill, { once: true })
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
