import { jwtVerify, SignJWT } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { buildLinkTokens } from './link-tokens.ts'

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
