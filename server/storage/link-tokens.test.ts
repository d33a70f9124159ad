import fc from 'fast-check'
import { jwtVerify, SignJWT } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { buildLinkTokens, stableEnd } from './link-tokens.ts'

const secret = 'a secret of at least thirty-two characters'
const key = new TextEncoder().encode(secret)
const links = buildLinkTokens(secret)
const url = 'posts/ada/1.jpg'

describe('link tokens [API-STO-10]', () => {
  it('opens the one path it was made for', async () => {
    const token = await links.sign('download', { url }, 60)
    await expect(links.verify('download', token, url)).resolves.toMatchObject({ url })
    await expect(links.verify('download', token, 'posts/ada/2.jpg')).rejects.toMatchObject({ code: 'InvalidSignature' })
  })

  it('expires', async () => {
    const token = await links.sign('download', { url }, -1)
    await expect(links.verify('download', token, url)).rejects.toMatchObject({
      code: 'InvalidJWT',
      message: '"exp" claim timestamp check failed',
    })
  })

  it('rejects an access token as a link, and a link as an access token [POST-46]', async () => {
    const access = await new SignJWT({ url, role: 'service_role', aud: 'storage:download' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(key)
    await expect(links.verify('download', access, url)).rejects.toMatchObject({ code: 'InvalidJWT' })
    await expect(jwtVerify(await links.sign('download', { url }, 60), key)).rejects.toThrow()
  })

  it('checks a known link as strictly as a new one [POST-47]', async () => {
    const token = await links.sign('download', { url }, 60)
    await links.verify('download', token, url)
    await expect(links.verify('download', token, 'posts/ada/2.jpg')).rejects.toMatchObject({ code: 'InvalidSignature' })
    await expect(links.verify('upload', token, url)).rejects.toMatchObject({ code: 'InvalidJWT' })
    vi.useFakeTimers({ now: Date.now() + 61_000 })
    try {
      await expect(links.verify('download', token, url)).rejects.toMatchObject({ code: 'InvalidJWT' })
    } finally {
      vi.useRealTimers()
    }
  })

  it('keeps links to read and links to write apart', async () => {
    const token = await links.sign('download', { url }, 60)
    await expect(links.verify('upload', token, url)).rejects.toMatchObject({ code: 'InvalidJWT' })
  })

  it.each(['', 'nonsense', 'eyJhbGciOiJub25lIn0.eyJ1cmwiOiJwb3N0cy9hZGEvMS5qcGcifQ.'])('rejects %j', async (token) => {
    await expect(links.verify('download', token, url)).rejects.toMatchObject({ code: 'InvalidJWT' })
  })
})

describe('a stable link', () => {
  const day = 24 * 3600

  it('is the same on every node for the same file and permissions, and another one for others [SCALE-06]', async () => {
    const claims = { url, version: 'one' }
    const end = stableEnd(60)
    const token = await links.signUntil('download', claims, end)
    expect(await buildLinkTokens(secret).signUntil('download', claims, end)).toBe(token)
    const others = await Promise.all([
      links.signUntil('download', { ...claims, version: 'two' }, end),
      links.signUntil('download', { ...claims, url: 'posts/ada/2.jpg' }, end),
      links.signUntil('image', { ...claims, mark: '@ada' }, end),
      links.signUntil('image', { ...claims, mark: '@lena' }, end),
      links.signUntil('download', claims, end + 1),
      buildLinkTokens(`${secret}, another`).signUntil('download', claims, end),
    ])
    expect(new Set([token, ...others]).size).toBe(7)
  })

  it('lasts for at most the time that was requested, and for at least half of it [SCALE-06]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 * day }), fc.string(), fc.nat(4e12), (seconds, file, now) => {
        const left = stableEnd(seconds, file, now) - Math.floor(now / 1000)
        expect(left).toBeLessThanOrEqual(seconds)
        expect(left).toBeGreaterThanOrEqual(Math.floor(seconds / 2))
      }),
    )
  })

  it('ends at the same time for all who ask within half of its time [SCALE-06]', () => {
    const start = Date.parse('2026-03-01T12:00:00Z')
    const ends = Array.from({ length: 2 * 3600 }, (_, second) => stableEnd(3600, url, start + second * 1000))
    expect(new Set(ends).size).toBeLessThanOrEqual(5)
    const steps = ends.flatMap((end, at) => (at > 0 && end !== ends[at - 1] ? [end - (ends[at - 1] ?? 0)] : []))
    expect(new Set(steps)).toEqual(new Set([1800]))
  })

  it('ends at another time for other files, so that caches do not ask for all files at once [SCALE-06]', () => {
    const now = Date.now()
    const ends = Array.from({ length: 100 }, (_, file) => stableEnd(3600, `posts/ada/${file}.jpg`, now))
    expect(new Set(ends).size).toBeGreaterThan(50)
  })

  it('ends with the next day if it lasts for two, as feeds need [SCALE-06]', () => {
    for (const time of ['00:00:00', '11:59:59', '23:59:59'])
      expect(stableEnd(2 * day, '', Date.parse(`2026-03-01T${time}Z`))).toBe(Date.parse('2026-03-03') / 1000)
  })
})
