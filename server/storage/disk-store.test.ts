import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildDiskStore } from './disk-store.ts'
import type { ObjectStore } from './object-store.ts'
import { filesBelow } from './testing/files-below.ts'
import { chunks, describeStore } from './testing/store-contract.ts'

let root: string
let store: ObjectStore
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'ovation-store-'))
  store = buildDiskStore(root)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const files = () => filesBelow(root)

describe('the disk store [API-STO-09]', () => {
  describeStore(() => store, files)

  it('puts parts that follow one another into one file, and that file becomes the content', async () => {
    const before = files().length
    const first = await store.writePart(chunks('one, '))
    const second = await store.writePart(chunks('two'), first)
    expect(second).toMatchObject({ file: first.file, start: 5 })
    await store.assemble('whole', [first, second])
    await store.removePart(first.file)
    expect(files()).toHaveLength(before + 1)
  })

  it('does not write into a part that another process began: it may be writing still', async () => {
    const first = await store.writePart(chunks('before the restart, '))
    const restarted = buildDiskStore(root)
    const second = await restarted.writePart(chunks('and after'), first)
    expect(second).toMatchObject({ start: 0 })
    expect(second.file).not.toBe(first.file)
    await restarted.assemble('resumed', [first, second])
    expect(await text(await restarted.read('resumed'))).toBe('before the restart, and after')
  })

  it('refuses to be used where it can not write', async () => {
    await expect(buildDiskStore('/dev/null/nowhere').check()).rejects.toMatchObject({ code: 'ENOTDIR' })
  })
})
