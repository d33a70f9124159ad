import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import type { ObjectStore } from '../object-store.ts'

export async function* chunks(...parts: (string | Buffer)[]) {
  for (const part of parts) yield Buffer.from(part)
}

export async function* broken() {
  yield Buffer.from('half of ')
  throw new Error('cut off')
}

/** What every store must do. @param files the names of all files that the store holds. */
export function describeStore(open: () => ObjectStore, files: () => string[] | Promise<string[]>): void {
  const listed = (time: Date) => Array.fromAsync(open().listBefore(time))
  const md5 = (bytes: string | Buffer) => createHash('md5').update(bytes).digest('hex')
  const bytesOf = async (version: string) => buffer(await open().read(version))
  const partOf = (content: string | Buffer) => open().writePart(chunks(content))

  it('keeps a stream and measures it', async () => {
    const version = randomUUID()
    await expect(open().write(version, chunks('hello ', 'world'))).resolves.toEqual({
      sizeBytes: 11,
      md5: '5eb63bbbe01eeed093cb22bb8f5acdc3',
    })
    expect(await text(await open().read(version))).toBe('hello world')
    expect(await text(await open().read(version, { start: 6, end: 8 }))).toBe('wor')
  })

  it('keeps an empty stream, and one that is larger than one piece', async () => {
    const large = randomBytes(9_000_000)
    for (const content of [Buffer.alloc(0), large]) {
      const version = randomUUID()
      await open().write(version, chunks(content.subarray(0, 100), content.subarray(100)))
      expect(md5(await bytesOf(version))).toBe(md5(content))
    }
  })

  it('sends at the receiver’s pace, and notices when the receiver goes away', async () => {
    const [version, large] = [randomUUID(), randomBytes(16_000_000)] // more than sockets buffer for a receiver that doesn't read
    await open().write(version, chunks(large))
    const range = { start: 10, end: 15_500_000 }
    const sendings: Promise<void>[] = []
    const server = createServer(async (_, response) => {
      const sending = (await open().open(version, range)).sendTo(response)
      sending.catch(() => undefined) // checked below
      sendings.push(sending)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const receive = async () => {
      const [answer] = (await once(get({ port, agent: false }), 'response')) as [IncomingMessage]
      return answer
    }
    expect(md5(await buffer(await receive()))).toBe(md5(large.subarray(10, 15_500_001)))
    ;(await receive()).destroy()
    server.close()
    await expect(sendings[0]).resolves.toBeUndefined()
    await expect(sendings[1]).rejects.toThrow()
    await expect(open().open(randomUUID(), range)).rejects.toMatchObject({ code: 'InternalError' })
  })

  it('keeps nothing of a stream that breaks', async () => {
    const version = randomUUID()
    const before = await files()
    await expect(open().write(version, broken())).rejects.toThrow('cut off')
    await expect(open().writePart(broken())).rejects.toThrow('cut off')
    expect(await files()).toEqual(before)
    await expect(open().read(version)).rejects.toMatchObject({ code: 'InternalError' })
  })

  it('saves content as a file that programs can open, and loses nothing when it is removed', async () => {
    const version = randomUUID()
    await open().write(version, chunks('hello'))
    const folder = await mkdtemp(join(tmpdir(), 'ovation-saved-'))
    const path = join(folder, 'file')
    await open().saveAs(version, path)
    expect(await readFile(path, 'utf8')).toBe('hello')
    await rm(path)
    expect(await text(await open().read(version))).toBe('hello')
    await expect(open().saveAs(randomUUID(), path)).rejects.toMatchObject({ status: 500 })
    await rm(folder, { recursive: true })
  })

  it('makes independent copies of content, and can remove content twice', async () => {
    const [one, two] = [randomUUID(), randomUUID()]
    await open().write(one, chunks('shared'))
    await open().copy(one, two)
    await open().remove(one)
    await open().remove(one)
    expect(await text(await open().read(two))).toBe('shared')
    await expect(open().copy(one, randomUUID())).rejects.toMatchObject({ code: 'InternalError' })
  })

  it('lists content that is finished and old enough', async () => {
    const version = randomUUID()
    await open().write(version, chunks('x'))
    expect(await listed(new Date(Date.now() + 60_000))).toContain(version)
    expect(await listed(new Date(Date.now() - 60_000))).toEqual([])
  })

  it('assembles consecutive parts, and parts from elsewhere', async () => {
    const first = await partOf('one, ')
    expect(first).toMatchObject({ sizeBytes: 5, md5: md5('one, '), start: 0 })
    const second = await open().writePart(chunks('two, '), first)
    const third = await open().writePart(chunks('three'), second)
    const other = await partOf('four, ')
    expect(Buffer.concat(await Array.fromAsync(open().readParts([second, third]))).toString()).toBe('two, three')
    for (const [parts, whole] of [
      [[first, second, third], 'one, two, three'],
      [[other, first, second, third], 'four, one, two, three'],
      [[third, other], 'threefour, '],
      [[first], 'one, '],
      [[], ''],
    ] as const) {
      const version = randomUUID()
      await open().assemble(version, parts)
      await open().assemble(version, parts) // repeated, as after a crash
      expect(await text(await open().read(version))).toBe(whole)
    }
  })

  it('writes a part again that failed halfway', async () => {
    const first = await partOf('begin ')
    await expect(open().writePart(broken(), first)).rejects.toThrow('cut off')
    const second = await open().writePart(chunks('end'), first)
    const version = randomUUID()
    await open().assemble(version, [first, second])
    expect(await text(await open().read(version))).toBe('begin end')
  })

  it('never changes assembled content, whatever is written behind its parts', async () => {
    const first = await partOf('content')
    const version = randomUUID()
    await open().assemble(version, [first])
    const second = await open().writePart(chunks(' and more'), { ...first, sizeBytes: 0 })
    expect(await text(await open().read(version))).toBe('content')
    await open().removePart(first.file)
    await open().removePart(first.file)
    await open().removePart(second.file)
    expect(await text(await open().read(version))).toBe('content')
  })

  it('assembles parts of any size', async () => {
    const bytes = randomBytes(20_000_000)
    const cuts = [0, 6_000_000, 6_100_000, 6_100_000, 12_500_000, 13_000_000, 19_999_999, 20_000_000]
    const parts = await Promise.all(cuts.slice(1).map((end, index) => partOf(bytes.subarray(cuts[index], end))))
    const version = randomUUID()
    await open().assemble(version, parts)
    expect(md5(await bytesOf(version))).toBe(md5(bytes))
  })

  it('finds old parts', async () => {
    const { file } = await partOf('x')
    const parts = (time: Date) => Array.fromAsync(open().listPartsBefore(time))
    expect(await parts(new Date(Date.now() + 60_000))).toContain(file)
    expect(await parts(new Date(Date.now() - 60_000))).toEqual([])
  })

  it('passes its check', async () => {
    await expect(open().check()).resolves.toBeUndefined()
  })
}
