import { type FileHandle, open, readFile } from 'node:fs/promises'

/**
 * True when the file holds the picture and nothing after it. What follows a picture's end no viewer shows, but another program reads:
 * a page, an archive, a script in a picture's clothes.
 * @param format as sharp names it.
 */
export async function endsWithPicture(path: string, format: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    return (await endOf(file, format, size)) === size
  } finally {
    await file.close()
  }
}

/** The position behind the picture's last byte; -1 when its structure does not lead there. */
async function endOf(file: FileHandle, format: string, size: number): Promise<number> {
  switch (format) {
    case 'png':
      return walk(file, 8, size, (head) => ({
        length: head.readUInt32BE(0) + 12,
        last: head.toString('latin1', 4) === 'IEND',
      }))
    case 'heif':
      return walk(file, 0, size, boxOf)
    case 'webp':
      return (await bytesAt(file, 4, 4)).readUInt32LE(0) + 8
    case 'jpeg':
      return endOfJpeg(await bytesAt(file, 0, size))
    case 'gif':
      return endOfGif(await bytesAt(file, 0, size))
    default:
      return -1
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

type Part = { readonly length: number; readonly last: boolean }

/** Parts that each tell their own length in the first 8 bytes. */
async function walk(file: FileHandle, start: number, size: number, partOf: (head: Buffer) => Part): Promise<number> {
  for (let position = start; position < size; ) {
    const head = await bytesAt(file, position, 8)
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
  const isKnown = ['ftyp', 'meta', 'mdat', 'free', 'moov', 'mini'].includes(head.toString('latin1', 4))
  return { length: isKnown ? head.readUInt32BE(0) : -1, last: false }
}

/** Segments with a length each, and between them the scans, where only `FF 00` and restart marks may follow an `FF` (T.81 §B.1.1). */
function endOfJpeg(bytes: Buffer): number {
  let position = 2
  while (position + 4 <= bytes.length || bytes[position + 1] === 0xd9) {
    if (bytes[position] !== 0xff) return -1
    const mark = bytes[position + 1] ?? 0
    if (mark === 0xd9) return position + 2
    if (mark === 0xff) {
      position += 1
      continue
    }
    position += 2 + bytes.readUInt16BE(position + 2)
    if (mark === 0xda) position = endOfScan(bytes, position)
  }
  return -1
}

function endOfScan(bytes: Buffer, start: number): number {
  let position = bytes.indexOf(0xff, start)
  while (position !== -1) {
    const next = bytes[position + 1] ?? 0
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return position
    position = bytes.indexOf(0xff, position + 2)
  }
  return bytes.length
}

/** True when a GIF carries comments, or what other programs keep in it (GIF89a §24 to §26). sharp tells of none of it. */
export async function hasGifNotes(path: string): Promise<boolean> {
  let found = false
  endOfGif(await readFile(path), (extension) => {
    const isControl = extension[1] === 0xf9
    const isLoop = extension[1] === 0xff && /^(NETSCAPE2|ANIMEXTS1)\.0$/.test(extension.toString('latin1', 3, 14))
    found ||= !isControl && !isLoop
  })
  return found
}

/**
 * Blocks of at most 255 bytes (GIF89a §15).
 * @param onExtension called with what begins with an extension.
 */
function endOfGif(bytes: Buffer, onExtension: (rest: Buffer) => void = () => undefined): number {
  const tableBytes = (flags = 0) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)
  const afterBlocks = (start: number) => {
    let position = start
    while ((bytes[position] ?? 0) > 0) position += (bytes[position] ?? 0) + 1
    return position + 1
  }
  let position = 13 + tableBytes(bytes[10])
  while (position < bytes.length) {
    switch (bytes[position]) {
      case 0x3b:
        return position + 1
      case 0x21:
        onExtension(bytes.subarray(position))
        position = afterBlocks(position + 2)
        break
      case 0x2c:
        position = afterBlocks(position + 10 + tableBytes(bytes[position + 9]) + 1)
        break
      default:
        return -1
    }
  }
  return -1
}
