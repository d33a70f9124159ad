import { open } from 'node:fs/promises'
import { FileWindows } from './file-windows.ts'

/** What a picture's structure shows. */
export type PictureStructure = {
  /** True when the file holds the picture and nothing after it. */
  readonly endsWithPicture: boolean
  /** True when a GIF has comments or application data (GIF89a §24 to §26), which sharp doesn't report. */
  readonly hasGifNotes: boolean
}

/** Four times what large pictures and long animations have. A file of nothing but parts costs time and shows nothing. */
const mostParts = 20_000
/** A GIF's data comes in blocks of up to 255 bytes: as many as the largest file has. */
const mostGifBlocks = 1_000_000

export class TooManyParts extends Error {
  override message = 'The picture has more parts than any picture needs'
}

/**
 * Walks through a picture's parts. Viewers ignore data behind a picture's end, but another program may read it: a page, an archive, a
 * script disguised as a picture.
 * @param format with sharp's name.
 * @throws TooManyParts; the signal's reason.
 */
export async function inspectStructure(path: string, format: string, signal?: AbortSignal): Promise<PictureStructure> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const windows = new FileWindows(file, signal)
    if (format === 'gif') {
      const { end, hasNotes } = await walkGif(windows)
      return { endsWithPicture: end === size, hasGifNotes: hasNotes }
    }
    return { endsWithPicture: (await endOf(windows, format, size)) === size, hasGifNotes: false }
  } finally {
    await file.close()
  }
}

/** The position behind the picture's last byte; -1 when its structure does not lead there. */
async function endOf(file: FileWindows, format: string, size: number): Promise<number> {
  switch (format) {
    case 'png':
      return walk(file, 8, size, (head) => ({
        length: head.readUInt32BE(0) + 12,
        last: head.toString('latin1', 4, 8) === 'IEND',
      }))
    case 'heif':
      return walk(file, 0, size, boxOf)
    case 'webp': {
      const head = await file.at(4, 4)
      return head.length < 4 ? -1 : head.readUInt32LE(0) + 8
    }
    case 'jpeg':
      return endOfJpeg(file)
    default:
      return -1
  }
}

/** @returns a function that counts parts and throws above the limit. */
function partCounter(most: number): () => void {
  let seen = 0
  return () => {
    seen += 1
    if (seen > most) throw new TooManyParts()
  }
}

type Part = { readonly length: number; readonly last: boolean }

/** Parts that state their length in the first 8 bytes. */
async function walk(file: FileWindows, start: number, size: number, partOf: (head: Buffer) => Part): Promise<number> {
  const count = partCounter(mostParts)
  for (let position = start; position < size; ) {
    count()
    const head = await file.at(position, 8)
    if (head.length < 8) return -1
    const { length, last } = partOf(head)
    if (length < 8) return -1
    position += length
    if (last) return position
  }
  return size
}

/** The boxes of an AVIF (ISO 14496-12); a box of another kind holds something else. */
function boxOf(head: Buffer): Part {
  const isKnown = ['ftyp', 'meta', 'mdat', 'free', 'moov', 'mini'].includes(head.toString('latin1', 4, 8))
  return { length: isKnown ? head.readUInt32BE(0) : -1, last: false }
}

/** Segments with a length each, and between them the scans, where only `FF 00` and restart marks may follow an `FF` (T.81 §B.1.1). */
async function endOfJpeg(file: FileWindows): Promise<number> {
  const count = partCounter(mostParts)
  for (let position = 2; ; ) {
    count()
    const head = await file.at(position, 4)
    if (head.length < 2 || head[0] !== 0xff) return -1
    const mark = head[1]
    if (mark === 0xd9) return position + 2
    if (mark === 0xff) {
      position += 1
      continue
    }
    if (head.length < 4) return -1
    position += 2 + head.readUInt16BE(2)
    if (mark === 0xda) position = await endOfScan(file, position)
  }
}

async function endOfScan(file: FileWindows, start: number): Promise<number> {
  for (let position = start; ; ) {
    const bytes = await file.at(position, 2)
    if (bytes.length < 2) return position + bytes.length
    let offset = bytes.indexOf(0xff)
    while (offset !== -1 && offset + 1 < bytes.length) {
      const next = bytes[offset + 1] ?? 0
      if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return position + offset
      offset = bytes.indexOf(0xff, offset + 2)
    }
    position += offset === -1 ? bytes.length : offset
  }
}

/** Blocks of at most 255 bytes (GIF89a §15). */
async function walkGif(file: FileWindows): Promise<{ end: number; hasNotes: boolean }> {
  const count = partCounter(mostParts)
  const countBlock = partCounter(mostGifBlocks)
  const tableBytes = (flags = 0) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)
  async function afterBlocks(start: number): Promise<number> {
    for (let position = start; ; ) {
      const bytes = await file.at(position, 1)
      if (bytes.length === 0) return position + 1
      let offset = 0
      while (offset < bytes.length) {
        countBlock()
        const length = bytes[offset] ?? 0
        if (length === 0) return position + offset + 1
        offset += length + 1
      }
      position += offset
    }
  }

  let position = 13 + tableBytes((await file.at(0, 13))[10])
  let hasNotes = false
  for (;;) {
    count()
    const head = await file.at(position, 14)
    switch (head[0]) {
      case 0x3b:
        return { end: position + 1, hasNotes }
      case 0x21: {
        const isControl = head[1] === 0xf9
        const isLoop = head[1] === 0xff && /^(NETSCAPE2|ANIMEXTS1)\.0$/.test(head.toString('latin1', 3, 14))
        hasNotes ||= !isControl && !isLoop
        position = await afterBlocks(position + 2)
        break
      }
      case 0x2c:
        position = await afterBlocks(position + 10 + tableBytes(head[9]) + 1)
        break
      default:
        return { end: -1, hasNotes }
    }
  }
}
