import { mkdtempSync, readlinkSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
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

  it('syncs each folder that gets a new file or folder', async () => {
    const fresh = join(root, 'fresh')
    const handle = await open(root)
    const prototype: FileHandle = Object.getPrototypeOf(handle)
    await handle.close()
    const written: string[] = []
    const { sync } = prototype
    vi.spyOn(prototype, 'sync').mockImplementation(function (this: FileHandle) {
      written.push(relative(fresh, readlinkSync(`/proc/self/fd/${this.fd}`)))
      return sync.call(this)
    })
    onTestFinished(() => void vi.restoreAllMocks())
    const other = buildDiskStore(fresh)
    await other.write('ab1', chunks('one'))
    expect(new Set(written)).toEqual(new Set(['..', '', 'objects', 'objects/ab']))
    written.length = 0
    await other.write('ab2', chunks('two'))
    expect(written).toEqual(['objects/ab'])
    written.length = 0
    const part = await other.writePart(chunks('three'))
    expect(new Set(written)).toEqual(new Set(['', 'parts']))
    written.length = 0
    await other.writePart(chunks('and on'), part)
    expect(written).toEqual([]) // its name exists already
    rmSync(fresh, { recursive: true })
  })

  it('puts consecutive parts into one file, and that file becomes the content', async () => {
    const before = files().length
    const first = await store.writePart(chunks('one, '))
    const second = await store.writePart(chunks('two'), first)
    expect(second).toMatchObject({ file: first.file, start: 5 })
    await store.assemble('whole', [first, second])
    await store.removePart(first.file)
    expect(files()).toHaveLength(before + 1)
  })

  it('does not write into a part that another process began, because that process may still write', async () => {
    const first = await store.writePart(chunks('before the restart, '))
    const restarted = buildDiskStore(root)
    const second = await restarted.writePart(chunks('and after'), first)
    expect(second).toMatchObject({ start: 0 })
    expect(second.file).not.toBe(first.file)
    await restarted.assemble('resumed', [first, second])
    expect(await text(await restarted.read('resumed'))).toBe('before the restart, and after')
  })

  it("fails its check where it can't write", async () => {
    await expect(buildDiskStore('/dev/null/nowhere').check()).rejects.toMatchObject({ code: 'ENOTDIR' })
  })
})
