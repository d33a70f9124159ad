import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { lockDataDir } from './data-lock.ts'

const directory = mkdtempSync(join(tmpdir(), 'ovation-lock-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

it('holds a data directory for one process, and says who holds it', () => {
  const lock = lockDataDir(directory)
  expect(() => lockDataDir(directory)).toThrow(`in use by another Ovation (process ${process.pid})`)
  lock.release()
  lockDataDir(directory).release()
})
