import { describe, expect, it } from 'vitest'
import { isAllowedType, safeToServe } from './mime.ts'
import { requireContentType } from './require-content-type.ts'

const bucket = (...allowed: string[]) => ({
  id: 'b',
  public: false,
  file_size_limit: null,
  allowed_mime_types: allowed,
})
const media = bucket('image/*', 'video/*')

/** The first bytes of each kind of file. */
const heads = {
  jpeg: Buffer.from('ffd8ffe000104a46494600010100', 'hex'),
  gif: Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1'),
  webp: Buffer.from('RIFF\x24\x00\x00\x00WEBPVP8 ', 'latin1'),
  avif: Buffer.from('\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1miaf', 'latin1'),
  mp4: Buffer.from('\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isomiso2', 'latin1'),
  mov: Buffer.from('\x00\x00\x00\x14ftypqt  \x00\x00\x02\x00qt  ', 'latin1'),
  webm: Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581', 'hex'),
  pdf: Buffer.from('%PDF-1.7\n'),
}

describe('the type of an upload', () => {
  it.each([
    ['jpeg', 'image/jpeg', 'image/jpeg'],
    ['gif', 'image/gif', 'image/gif'],
    ['webp', 'image/webp', 'image/webp'],
    ['avif', 'image/avif', 'image/avif'],
    ['mp4', 'video/mp4', 'video/mp4'],
    ['mov', 'video/quicktime', 'video/quicktime'],
    ['webm', 'video/webm', 'video/webm'],
    ['webp', 'image/jpeg', 'image/webp'], // a wrong type is corrected
    ['mov', 'video/mp4; codecs=avc1', 'video/quicktime'],
  ] as const)('of a %s declared as %s is %s [POST-24]', async (head, declared, type) => {
    expect(await requireContentType(heads[head], declared, media)).toBe(type)
  })

  it.each([
    ['pdf', 'image/jpeg'],
    ['mp4', 'image/jpeg'],
    ['jpeg', 'video/mp4'],
    ['jpeg', 'application/octet-stream'],
  ] as const)('of a %s declared as %s is rejected [POST-28]', async (head, declared) => {
    await expect(requireContentType(heads[head], declared, media)).rejects.toMatchObject({ status: 415 })
  })

  it.each([
    ['webm', 'audio/webm;codecs=opus', 'audio/webm'],
    ['mp4', 'audio/mp4', 'audio/mp4'],
  ] as const)(
    'of a recording in %s is its declared type, because a video begins alike [INBOX-05]',
    async (head, declared, type) => {
      expect(await requireContentType(heads[head], declared, bucket('image/*', 'video/*', 'audio/*'))).toBe(type)
      await expect(requireContentType(heads[head], declared, media)).rejects.toMatchObject({ status: 415 })
    },
  )

  it('of a recording is rejected for other content, except in a bucket of sound alone', async () => {
    await expect(requireContentType(heads.jpeg, 'audio/webm', bucket('image/*', 'audio/*'))).rejects.toMatchObject({
      status: 415,
    })
    expect(await requireContentType(heads.pdf, 'audio/flac', bucket('audio/*'))).toBe('audio/flac')
  })

  it('must be on the list of the bucket, and is free without a list [API-STO-06]', async () => {
    await expect(requireContentType(heads.gif, 'image/gif', bucket('image/jpeg'))).rejects.toMatchObject({
      status: 415,
    })
    await expect(requireContentType(heads.gif, 'image/jpeg', bucket('image/jpeg'))).rejects.toMatchObject({
      status: 415,
    })
    expect(await requireContentType(heads.pdf, 'text/plain', bucket())).toBe('text/plain')
  })
})

it.each([
  ['image/png', ['image/*'], true],
  ['IMAGE/PNG; x=1', ['image/png'], true],
  ['imagex/png', ['image/*'], false],
  ['text/html', ['*/*'], true],
  ['text/html', [], true],
  ['', ['image/*'], false],
])('%j on the list %j: %s [API-STO-06]', (type, list, allowed) => {
  expect(isAllowedType(type, list)).toBe(allowed)
})

it.each([
  ['text/html', 'text/plain; charset=utf-8'],
  ['Application/XHTML+xml; charset=x', 'text/plain; charset=utf-8'],
  ['text/javascript', 'text/plain; charset=utf-8'],
  ['Application/X-JavaScript;charset=utf-8', 'text/plain; charset=utf-8'],
  ['text/ecmascript', 'text/plain; charset=utf-8'],
  ['application/rss+xml', 'text/plain; charset=utf-8'],
  ['multipart/x-mixed-replace; boundary=x', 'text/plain; charset=utf-8'],
  ['application/json', 'application/json'],
  ['text/css', 'text/css'],
  ['image/svg+xml', 'image/svg+xml'],
  ['image/png', 'image/png'],
  ['', 'application/octet-stream'],
  [undefined, 'application/octet-stream'],
])('%j is served as %s [API-STO-09]', (type, served) => {
  expect(safeToServe(type)).toBe(served)
})
