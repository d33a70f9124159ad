import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { DocumentCache } from './document-cache.ts'

const newest = new Date('2026-11-27T05:00:00Z')
/** A cache whose documents age at the test's command. */
function build(read: () => Promise<{ body: string; newest: Date } | undefined>) {
  let now = 1_000_000
  const reads = vi.fn(read)
  async function pass(ms: number) {
    now += ms
    await sleep(5) // the library remembers the time for a millisecond
  }
  return { cache: new DocumentCache(reads, { now: () => now }), reads, pass }
}

describe('cached documents', () => {
  it('are read once for all who ask at the same time, and again after four seconds [RSS-01]', async () => {
    const { cache, reads, pass } = build(async () => ({ body: 'a', newest }))
    const all = await Promise.all(Array.from({ length: 20 }, () => cache.get('noor.xml')))
    expect(new Set(all.map((document) => document?.tag)).size).toBe(1)
    await pass(3_900)
    await cache.get('noor.xml')
    expect(reads).toHaveBeenCalledTimes(1)
    await pass(200)
    await cache.get('noor.xml')
    expect(reads).toHaveBeenCalledTimes(2)
  })

  it('include that there is none [RSS-01]', async () => {
    const { cache, reads } = build(async () => undefined)
    expect([await cache.get('nobody.xml'), await cache.get('nobody.xml')]).toEqual([undefined, undefined])
    expect(reads).toHaveBeenCalledTimes(1)
  })

  it('are modified when their newest part was published, and then whenever they differ [RSS-01]', async () => {
    let body = 'a'
    const { cache, pass } = build(async () => ({ body, newest }))
    const first = await cache.get('noor.xml')
    await pass(5_000)
    expect(await cache.get('noor.xml')).toEqual({ ...first, lastModified: newest })
    await pass(5_000)
    body = 'b'
    const edited = await cache.get('noor.xml')
    expect(edited?.tag).not.toBe(first?.tag)
    expect(edited?.lastModified.getTime()).toBeGreaterThan(Date.now() - 10_000)
    await pass(5_000)
    expect((await cache.get('noor.xml'))?.lastModified).toEqual(edited?.lastModified)
  })

  it('are served even if they are too large to keep, and a failed read is tried again [RSS-01]', async () => {
    let isDown = true
    const { cache, reads } = build(async () => {
      if (isDown) throw new Error('down')
      return { body: 'x'.repeat(3 * 1024 ** 2), newest }
    })
    await expect(cache.get('noor.xml')).rejects.toThrow('down')
    isDown = false
    for (const _turn of [1, 2]) expect((await cache.get('noor.xml'))?.body).toHaveLength(3 * 1024 ** 2)
    expect(reads).toHaveBeenCalledTimes(3)
  })

  it('stay within their limits, also while more are read than have a place [RSS-01]', async () => {
    const { cache } = build(async () => ({ body: 'a', newest }))
    const all = await Promise.all(Array.from({ length: 5_000 }, (_, n) => cache.get(`fan${n}.xml`)))
    expect(all.filter((document) => document?.body !== 'a')).toEqual([])
  })
})
