import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildDiskStore } from './disk-store.ts'
import type { ObjectStore } from './object-store.ts'

let root: string
let store: ObjectStore
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'ovation-store-'))
  store = buildDiskStore(root)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function* chunks(...parts: string[]) {
  for (const part of parts) yield Buffer.from(part)
}
const files = () =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
const listed = async (time: Date) => Array.fromAsync(store.listBefore(time))

describe('the disk store [API-STO-09]', () => {
  it('keeps a stream and measures it', async () => {
    const version = randomUUID()
    await expect(store.write(version, chunks('hello ', 'world'))).resolves.toEqual({
      sizeBytes: 11,
      md5: '5eb63bbbe01eeed093cb22bb8f5acdc3',
    })
    expect(await text(await store.read(version))).toBe('hello world')
    expect(await text(await store.read(version, { start: 6, end: 8 }))).toBe('wor')
  })

  it('keeps nothing of a stream that breaks', async () => {
    const version = randomUUID()
    const before = files()
    async function* broken() {
      yield Buffer.from('half of ')
      throw new Error('cut off')
    }
    await expect(store.write(version, broken())).rejects.toThrow('cut off')
    expect(files()).toEqual(before)
    await expect(store.read(version)).rejects.toMatchObject({ code: 'InternalError' })
  })

  it('copies content that stands on its own, and removes it more than once', async () => {
    const [one, two] = [randomUUID(), randomUUID()]
    await store.write(one, chunks('shared'))
    await store.copy(one, two)
    await store.remove(one)
    await store.remove(one)
    expect(await text(await store.read(two))).toBe('shared')
    await expect(store.copy(one, randomUUID())).rejects.toMatchObject({ code: 'InternalError' })
  })

  it('lists what is finished and old enough', async () => {
    const version = randomUUID()
    await store.write(version, chunks('x'))
    expect(await listed(new Date(Date.now() + 60_000))).toContain(version)
    expect(await listed(new Date(Date.now() - 60_000))).toEqual([])
  })
})
