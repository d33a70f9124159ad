import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { runVite } from './web-build.ts'

const web = join(import.meta.dirname, '..', 'web')

it('writes below web only, as ovation.service allows', async () => {
  const folder = mkdtempSync(join(web, 'dist.test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const allowed = ['addons', 'child-process', 'worker', 'wasi'].map((part) => `--allow-${part}`).join(' ')
  vi.stubEnv('NODE_OPTIONS', `--permission --allow-fs-read=* --allow-fs-write=${web}/* ${allowed}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  await runVite(['--ssr', 'app/server-page.tsx', '--outDir', folder])
  expect(readdirSync(folder)).toContain('server-page.js')
}, 60_000)
