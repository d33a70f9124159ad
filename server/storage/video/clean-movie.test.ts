import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { cleanMovie } from './clean-movie.ts'

function box(type: string, ...content: (Buffer | string)[]): Buffer {
  const payload = Buffer.concat(content.map((part) => Buffer.from(part)))
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + payload.length, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, payload])
}
/** With the size in 64 bits, as in `mdat` of a large file. */
function largeBox(type: string, payload: Buffer): Buffer {
  const head = Buffer.alloc(16)
  head.writeUInt32BE(1, 0)
  head.write(type, 4, 'latin1')
  head.writeBigUInt64BE(BigInt(16 + payload.length), 8)
  return Buffer.concat([head, payload])
}
const place = box('udta', box('©xyz', '+48.8577+002.295/'))
const handler = (type: string) => box('hdlr', Buffer.alloc(8), type, Buffer.alloc(12))
const track = (type: string, ...more: Buffer[]) =>
  box('trak', box('mdia', handler(type), box('minf', 'samples')), ...more)
const dated = (type: string) => box(type, Buffer.alloc(4), 'madechng', 'rest')
const media = largeBox('mdat', Buffer.alloc(300_000, 'frames'))

/** Cut anywhere: chunks don't end at box boundaries. */
async function cleaned(movie: Buffer, pieceBytes = 1000): Promise<Buffer> {
  async function* pieces() {
    for (let at = 0; at < movie.length; at += pieceBytes) yield movie.subarray(at, at + pieceBytes)
  }
  return buffer(cleanMovie(pieces()))
}

describe('a video during upload', () => {
  it.each([1, 7, 1000, 10_000_000])(
    'loses place, camera, and times, and no byte moves (in pieces of %d)',
    async (size) => {
      const small = largeBox('mdat', Buffer.from('frames'))
      const table = box('moov', dated('mvhd'), track('vide', place), box('meta', 'com.apple.quicktime.make'), place)
      const movie = Buffer.concat([box('ftyp', 'qt  '), small, table, box('free', 'quota')])
      const clean = await cleaned(movie, size)
      expect(clean).toHaveLength(movie.length)
      for (const secret of ['48.8577', 'quicktime.make', 'madechng']) expect(clean.includes(secret)).toBe(false)
      for (const needed of ['frames', 'samples', 'rest', 'quota', 'vide']) expect(clean.includes(needed)).toBe(true)
      expect(clean.indexOf('frames')).toBe(movie.indexOf('frames'))
    },
  )

  it('loses metadata outside its table, including XMP, and keeps unknown boxes', async () => {
    const xmp = box('uuid', Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), '<exif:GPSLatitude>')
    const other = box('uuid', Buffer.alloc(16, 1), 'a sphere')
    const clean = await cleaned(Buffer.concat([box('ftyp', 'isom'), xmp, box('meta', 'GPS'), other, media]))
    expect(clean.includes('GPS')).toBe(false)
    expect(clean.includes('a sphere')).toBe(true)
  })

  it('loses metadata tracks, and keeps tracks of pictures, sound, and text', async () => {
    const clean = await cleaned(
      box('moov', track('vide'), track('meta', box('edts', 'gpmd')), track('soun'), track('text')),
    )
    expect(clean.includes('gpmd')).toBe(false)
    expect(clean.toString('latin1').match(/trak/g)).toHaveLength(3)
  })

  it('passes unchanged when it is another format, is cut off, or has no metadata', async () => {
    const table = box('moov', box('mvhd', Buffer.alloc(20)), track('vide'))
    const toTheEnd = Buffer.concat([box('ftyp', 'isom'), table, Buffer.from('\0\0\0\0mdat to the end')])
    const short = box('moov', box('mvhd', 'shrt'))
    for (const bytes of [Buffer.from('no boxes here'), Buffer.alloc(0), short, toTheEnd, media.subarray(0, 1000)]) {
      expect(await cleaned(bytes)).toEqual(bytes)
    }
  })

  it('is rejected when boxes nest deeper than in any real video', async () => {
    const boxes = 100_000
    const nested = Buffer.alloc(boxes * 8)
    for (let at = 0; at < nested.length; at += 8) {
      nested.writeUInt32BE(nested.length - at, at)
      nested.write('moov', at + 4, 'latin1')
    }
    await expect(cleaned(nested, nested.length)).rejects.toMatchObject({ code: 'InvalidMimeType' })
  })

  it.each([
    ['in its table', (boxes: Buffer) => box('moov', boxes)],
    ['in a track', (boxes: Buffer) => box('moov', box('trak', boxes))],
    ['beside its table', (boxes: Buffer) => Buffer.concat([box('ftyp', 'isom'), boxes])],
  ])('is rejected with more empty boxes %s than any real video has', async (_where, movie) => {
    const empty = Buffer.concat(Array(20_000).fill(box('free')))
    await expect(cleaned(movie(empty), 65_536)).rejects.toMatchObject({ code: 'InvalidMimeType' })
  })

  it('passes as a recording with a fragment for each second of many hours', async () => {
    const piece = Buffer.concat([box('moof', Buffer.alloc(300)), box('mdat', Buffer.alloc(700))])
    const recording = Buffer.concat([box('ftyp', 'isom'), ...Array(20_000).fill(piece)])
    expect((await cleaned(recording, 65_536)).equals(recording)).toBe(true)
  })

  it('is rejected for an oversized table before the table is in memory', async () => {
    const head = Buffer.from('\0\0\0\0moov')
    head.writeUInt32BE(100_000_000, 0)
    await expect(cleaned(head)).rejects.toMatchObject({ code: 'InvalidMimeType' })
  })
})
