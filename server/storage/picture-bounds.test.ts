import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { buildWorkQueue, WorkLanes } from '../work-lanes.ts'
import { inspectPicture } from './pictures/inspect-picture.ts'
import { buildPictureQueues, pictureErrors } from './pictures/picture-queues.ts'
import { mostExactRenderings } from './pictures/transform.ts'
import { filesBelow } from './testing/files-below.ts'

let gateway: TestGateway
let png: Buffer
let folder: string
beforeAll(async () => {
  gateway = await startGateway()
  folder = mkdtempSync(join(tmpdir(), 'ovation-bounds-'))
  png = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#123456' } })
    .png()
    .toBuffer()
})
afterAll(async () => {
  await gateway?.close()
  rmSync(folder, { recursive: true, force: true })
})

const never = new AbortController().signal
const chunk = Buffer.from([0, 0, 0, 0, ...Buffer.from('prVt'), 0x65, 0x91, 0x0a, 0x25])
/** A valid picture of one pixel with many empty parts that no viewer looks at. */
const hollow = (parts: number) =>
  Buffer.concat([png.subarray(0, 33), Buffer.alloc(parts * chunk.length, chunk), png.subarray(33)])
const inspect = (bytes: Buffer, format: string, signal = never) => {
  const file = join(folder, randomBytes(6).toString('hex'))
  writeFileSync(file, bytes)
  return inspectPicture(file, format, signal)
}

describe('the structure of a picture', () => {
  it('is read up to a limit that no real picture reaches', async () => {
    expect(await inspect(hollow(10_000), 'png')).toMatchObject({ endsWithPicture: true })
    await expect(inspect(hollow(800_000), 'png')).rejects.toThrow('more parts than any picture needs')
    await expect(inspect(Buffer.concat([png.subarray(0, 8), Buffer.alloc(12 * 30_000, chunk)]), 'png')).rejects.toThrow(
      'more parts',
    )
  })

  it('of a JPEG and a GIF is read in windows, and in a separate thread for a large file', async () => {
    const jpeg = await sharp({
      create: {
        width: 1500,
        height: 1500,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .jpeg({ quality: 95 })
      .toBuffer()
    expect(jpeg.length).toBeGreaterThan(1024 * 1024)
    expect(await inspect(jpeg, 'jpeg')).toMatchObject({ endsWithPicture: true })
    expect(await inspect(Buffer.concat([jpeg, Buffer.from('<html>')]), 'jpeg')).toMatchObject({
      endsWithPicture: false,
    })
    const gif = await sharp(png).resize(300, 300).gif().toBuffer()
    expect(await inspect(gif, 'gif')).toEqual({ endsWithPicture: true, hasGifNotes: false })
    const comment = Buffer.concat([gif.subarray(0, -1), Buffer.from([0x21, 0xfe, 2, 0x68, 0x69, 0]), gif.subarray(-1)])
    expect(await inspect(comment, 'gif')).toEqual({ endsWithPicture: true, hasGifNotes: true })
    const [image, blocks] = [gif.subarray(0, -1), Buffer.alloc(2_400_000, Buffer.from([1, 0x61]))]
    const endless = Buffer.concat([image, Buffer.from([0x21, 0xf9]), blocks, Buffer.from([0, 0x3b])])
    await expect(inspect(endless, 'gif')).rejects.toThrow('more parts')
  })

  it('does not block the process', async () => {
    // A scan of escaped bytes: 20 MB, where every pair of bytes is checked.
    const head = Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2])
    const scan = Buffer.concat([head, Buffer.alloc(20_000_000, Buffer.from([0xff, 0])), Buffer.from([0xff, 0xd9])])
    let longestMs = 0
    let last = performance.now()
    const timer = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last)
      last = performance.now()
    }, 1)
    const file = join(folder, 'scan')
    writeFileSync(file, scan)
    last = performance.now()
    expect(await inspectPicture(file, 'jpeg', never)).toMatchObject({ endsWithPicture: true })
    clearInterval(timer)
    expect(longestMs).toBeLessThan(150)
  })

  it('is abandoned when its time is over', async () => {
    const stopping = new AbortController()
    const found = inspect(
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2]), Buffer.alloc(40_000_000, Buffer.from([0xff, 0]))]),
      'jpeg',
      stopping.signal,
    )
    stopping.abort(new Error('too late'))
    await expect(found).rejects.toThrow('too late')
  })
})

describe('work on pictures', () => {
  const gate = () => Promise.withResolvers<void>()

  it('of one account takes one lane, however much of it waits', async () => {
    const queue = new WorkLanes(2, pictureErrors).queue({
      lanes: 2,
      maxWaiting: 10,
      lanesPerKey: 1,
      maxWaitingPerKey: 2,
    })
    const [slow, order] = [gate(), [] as string[]]
    const first = queue(() => slow.promise, { key: 'ada' })
    const others = [1, 2].map((n) => queue(async () => void order.push(`ada ${n}`), { key: 'ada' }))
    await expect(queue(async () => undefined, { key: 'ada' })).rejects.toMatchObject({ status: 429, code: 'SlowDown' })
    await queue(async () => void order.push('bob'), { key: 'bob' })
    expect(order).toEqual(['bob'])
    slow.resolve()
    await Promise.all([first, ...others])
    expect(order).toEqual(['bob', 'ada 1', 'ada 2'])
  })

  it('of one key pauses for as long as it works once it has worked for long, and others start at once', async () => {
    vi.useFakeTimers()
    try {
      const queue = new WorkLanes(2, pictureErrors).queue({
        lanes: 2,
        maxWaiting: 10,
        lanesPerKey: 1,
        burstMsPerKey: 1_000,
      })
      const ends: [name: string, ms: number][] = []
      const startedAt = performance.now()
      const work = (name: string, ms: number) =>
        void queue(
          async () => {
            await new Promise((end) => setTimeout(end, ms))
            ends.push([name, Math.round((performance.now() - startedAt) / 100) * 100])
          },
          { key: name },
        )
      for (const ms of [1_000, 1_000, 500, 500]) work('ada', ms)
      await vi.advanceTimersByTimeAsync(2_200)
      work('bob', 100)
      await vi.advanceTimersByTimeAsync(2_800)
      expect(ends).toEqual([
        ['ada', 1_000],
        ['ada', 2_000], // the burst is used up
        ['bob', 2_300],
        ['ada', 3_500],
        ['ada', 4_500],
      ])
    } finally {
      vi.useRealTimers()
    }
  })

  it('keeps a lane for uploads and a lane for renderings', async () => {
    const { uploads, renderings } = buildPictureQueues({ deadlineMs: 10_000, renderingsPerAddress: 100 })
    for (const [busy, free] of [
      [renderings, uploads],
      [uploads, renderings],
    ] as const) {
      const slow = gate()
      const many = Array.from({ length: 50 }, () => busy(() => slow.promise))
      expect(await free(async () => 'done')).toBe('done')
      slow.resolve()
      await Promise.all(many)
    }
  })

  it('is answered when its time is over, and frees its lane once it has ended', async () => {
    const queue = buildWorkQueue({ lanes: 1, maxWaiting: 5, deadlineMs: 20 }, pictureErrors)
    const slow = gate()
    let told: AbortSignal | undefined
    const work = queue((signal) => {
      told = signal
      return slow.promise
    })
    await expect(work).rejects.toMatchObject({ status: 413, code: 'EntityTooLarge' })
    expect(told?.aborted).toBe(true)
    let ran = false
    const next = queue(async () => {
      ran = true
    })
    await new Promise((tick) => setImmediate(tick))
    expect(ran).toBe(false)
    slow.resolve()
    await next
    expect(ran).toBe(true)
  })
})

describe('hostile pictures', () => {
  const upload = (person: Person, content: Buffer, contentType = 'image/png') =>
    person.client.storage
      .from('posts')
      .upload(`${person.userId}/${randomBytes(6).toString('hex')}`, content, { contentType })

  it('of nothing but parts are rejected while other users keep uploading', async () => {
    const [attacker, victim] = await Promise.all([gateway.signUp(), gateway.signUp()])
    const attack = Promise.all(Array.from({ length: 4 }, () => upload(attacker, hollow(800_000))))
    const startedAt = performance.now()
    expect((await upload(victim, png)).error).toBeNull()
    expect(performance.now() - startedAt).toBeLessThan(5000)
    for (const { error } of await attack) expect(error).toMatchObject({ statusCode: '415', code: 'InvalidMimeType' })
  })

  it('get 429 in a flood of renderings from one address, and another user’s upload stays fast', async () => {
    const flooded = await startGateway({ env: { STORAGE_RENDERINGS_PER_ADDRESS: '10' } })
    try {
      const [attacker, victim] = await Promise.all([flooded.signUp(), flooded.signUp()])
      const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
      const face = await sharp({ create: { width: 2000, height: 2000, channels: 3, background: '#888', noise } })
        .jpeg()
        .toBuffer()
      const name = `${attacker.userId}/face.jpg`
      const sent = await attacker.client.storage.from('avatars').upload(name, face, { contentType: 'image/jpeg' })
      expect(sent.error).toBeNull()
      const render = async (width: number, address: string) => {
        const answer = await fetch(
          `${flooded.url}/storage/v1/render/image/public/avatars/${name}?width=${width}&quality=90`,
          { headers: { 'x-forwarded-for': address } },
        )
        await answer.arrayBuffer()
        return answer
      }
      let running = true
      const flood = Promise.all(Array.from({ length: 60 }, (_, n) => render(1000 + n, '198.51.100.7'))).finally(() => {
        running = false
      })
      const startedAt = performance.now()
      const upload = await victim.client.storage
        .from('posts')
        .upload(`${victim.userId}/one.png`, png, { contentType: 'image/png' })
      expect(upload.error).toBeNull()
      expect(performance.now() - startedAt).toBeLessThan(5000)
      expect(running).toBe(true)
      expect((await render(900, '203.0.113.9')).status).toBe(200)
      const answers = await flood
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
      const refused = answers.filter(({ status }) => status === 429)
      expect(refused.length).toBeGreaterThanOrEqual(30)
      expect(refused.every(({ headers }) => headers.get('retry-after') === '2')).toBe(true)
    } finally {
      await flooded.close()
    }
  })

  it('are rendered in a limited number of sizes, and then rounded to the next larger one', async () => {
    const person = await gateway.signUp()
    const name = `${person.userId}/face.png`
    const face = await sharp(png).resize(400, 400, { kernel: 'nearest' }).png().toBuffer()
    await person.client.storage.from('avatars').upload(name, face, { contentType: 'image/png' })
    const form = async (width: number, quality?: number) => {
      const query = `width=${width}${quality ? `&quality=${quality}` : ''}`
      const answer = await fetch(`${gateway.url}/storage/v1/render/image/public/avatars/${name}?${query}`)
      expect(answer.status).toBe(200)
      return (await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).width
    }
    const made = () => filesBelow(gateway.dataDir, 'storage', 'pictures').length
    await Promise.all([61, 62, 65, 70, 80].map((quality) => form(30, quality)))
    expect(made()).toBe(1)
    for (let width = 100; width < 99 + mostExactRenderings; width += 1) expect(await form(width)).toBe(width)
    const [before, after] = [made(), await Promise.all(Array.from({ length: 60 }, (_, index) => form(200 + index)))]
    expect(new Set(after)).toEqual(new Set([256, 400]))
    expect(made() - before).toBeLessThanOrEqual(2)
    expect(await form(150)).toBe(150) // an existing rendering stays
  })
})

it.each(['STORAGE_PICTURE_SECONDS', 'STORAGE_RENDERINGS_PER_ADDRESS'])('reject a wrong %s at start', async (name) => {
  const { parseConfig } = await import('../config.ts')
  expect(() => parseConfig({ [name]: 'soon' })).toThrow(name)
})
