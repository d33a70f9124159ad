import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { lockDataDir } from './data-lock.ts'

const directory = mkdtempSync(join(tmpdir(), 'ovation-lock-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

it('locks a data directory for one process, and names the process that holds it', () => {
  const lock = lockDataDir(directory)
  expect(() => lockDataDir(directory)).toThrow(`in use by another Ovation (process ${process.pid})`)
  lock.release()
  lockDataDir(directory).release()
})

it('closes files of an older installation that other users of the machine could read', () => {
  const old = join(directory, 'old')
  mkdirSync(join(old, 'storage'), { recursive: true })
  for (const file of ['sandbox.sqlite', 'lock', 'secrets.json']) writeFileSync(join(old, file), '')
  for (const [path, mode] of [
    [old, 0o755],
    [join(old, 'storage'), 0o755],
    [join(old, 'sandbox.sqlite'), 0o644],
    [join(old, 'lock'), 0o644],
    [join(old, 'secrets.json'), 0o664],
  ] as const)
    chmodSync(path, mode)
  lockDataDir(old).release()
  const mode = (path: string) => statSync(path).mode & 0o777
  expect(mode(old)).toBe(process.getuid?.() === 0 ? 0o711 : 0o700)
  expect(mode(join(old, 'storage'))).toBe(0o700)
  for (const file of readdirSync(old))
    if (file !== 'storage') expect([file, mode(join(old, file))]).toEqual([file, 0o600])
})

it('creates nothing that other users of the machine can open', () => {
  const made = join(directory, 'made')
  const lock = lockDataDir(made)
  const files = readdirSync(made)
  expect(files).toEqual(expect.arrayContaining(['lock', 'lock.pid']))
  for (const file of files) expect([file, statSync(join(made, file)).mode & 0o077]).toEqual([file, 0])
  lock.release()
})
