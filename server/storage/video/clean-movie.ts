import { storageErrors } from '../errors.ts'

type Bytes = AsyncIterable<Uint8Array>

/** Types of files that consist of boxes (ISO/IEC 14496-12; Apple's QuickTime File Format), which phones and cameras record. */
export const isMovie = (type: string): boolean =>
  ['video/mp4', 'video/quicktime', 'video/x-m4v', 'video/3gpp', 'video/3gpp2'].includes(type)

/** Boxes with facts about the recording: place, time, camera, names. Players need none of them. */
const notes = new Set(['udta', 'meta'])
const parents = new Set(['moov', 'trak', 'mdia'])
const dated = new Set(['mvhd', 'tkhd', 'mdhd'])
/** Any program may use `uuid` boxes; this one is XMP (Adobe's XMP specification, part 3). */
const xmp = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex')
/** Tables of samples for hours of video take a few megabytes. */
const maxTableBytes = 64 * 1024 * 1024
/** Dates and metadata are three boxes deep (moov, trak, mdia). Eight-byte boxes could nest a million deep. */
const maxDepth = 8
/** Limits the inspected boxes; the largest tables have some hundreds. */
const maxTableBoxes = 10_000
/** A fragmented recording has an unlimited number of boxes, with frames in them. This many may be smaller. */
const maxSmallBoxes = 10_000
const leastMeanBytes = 256

/**
 * Removes a video's metadata, as for a picture. It blanks metadata in place: no byte moves, so offsets into the file stay valid, and
 * nothing is encoded again. A metadata track, such as the position track of an action camera,
 * stops being a track; its samples stay among the others, where no player finds them. A file without boxes passes unchanged.
 * @throws InvalidMimeType (415) when the table of samples is larger or deeper than any real one, or the file consists of empty boxes:
 * a few megabytes of them are a million steps.
 */
export async function* cleanMovie(content: Bytes): Bytes {
  const source = new BoxReader(content)
  let seenBytes = 0
  try {
    for (let seenBoxes = 0; ; seenBoxes++) {
      if ((seenBoxes - maxSmallBoxes) * leastMeanBytes > seenBytes) throw storageErrors.contentMismatch('video')
      const head = await source.peek(16 + xmp.length)
      const box = readBox(head)
      if (!box || box.sizeBytes === 0) break
      seenBytes += box.sizeBytes
      if (box.type === 'moov' || isNote(head, box)) {
        if (box.sizeBytes > maxTableBytes) throw storageErrors.contentMismatch('video')
        const whole = await source.take(box.sizeBytes)
        clean(whole, box, new BoxCount())
        yield whole
      } else yield* source.pass(box.sizeBytes)
    }
    yield* source.pass(Number.POSITIVE_INFINITY)
  } finally {
    await source.close()
  }
}

type Box = { readonly type: string; readonly sizeBytes: number; readonly headBytes: number }

/** The box that begins here; undefined: none. A size of 0 means to the end of the file. */
function readBox(bytes: Buffer): Box | undefined {
  if (bytes.length < 8) return undefined
  const type = bytes.toString('latin1', 4, 8)
  const short = bytes.readUInt32BE(0)
  if (short !== 1) return short === 0 || short >= 8 ? { type, sizeBytes: short, headBytes: 8 } : undefined
  if (bytes.length < 16) return undefined
  const sizeBytes = Number(bytes.readBigUInt64BE(8))
  return sizeBytes >= 16 ? { type, sizeBytes, headBytes: 16 } : undefined
}

function isNote(bytes: Buffer, { type, headBytes }: Box): boolean {
  return notes.has(type) || (type === 'uuid' && bytes.subarray(headBytes, headBytes + xmp.length).equals(xmp))
}

/** How many boxes of one table were inspected. */
class BoxCount {
  #seen = 0

  /** @throws InvalidMimeType (415). */
  add() {
    this.#seen += 1
    if (this.#seen > maxTableBoxes) throw storageErrors.contentMismatch('video')
  }
}

/**
 * @param whole the box and its content.
 * @param depth the number of boxes around it.
 */
function clean(whole: Buffer, box: Box, count: BoxCount, depth = 0): void {
  if (depth > maxDepth) throw storageErrors.contentMismatch('video')
  if (isNote(whole, box) || (box.type === 'trak' && isTrackOfNotes(whole, count))) blank(whole, box)
  else if (dated.has(box.type))
    whole.subarray(12, whole[8] === 1 ? 28 : 20).fill(0) // after version and flags: creation and modification time
  else if (parents.has(box.type))
    for (const child of boxesIn(whole, box, count)) clean(child.whole, child, count, depth + 1)
}

/** `mdia/hdlr` has the type of a track: timed metadata is `meta` (ISO/IEC 14496-12, 12.9). */
function isTrackOfNotes(track: Buffer, count: BoxCount): boolean {
  const handler = find(find(track, 'mdia', count), 'hdlr', count)
  return handler?.toString('latin1', 16, 20) === 'meta'
}

function find(parent: Buffer | undefined, type: string, count: BoxCount): Buffer | undefined {
  const box = parent && readBox(parent)
  return box && boxesIn(parent, box, count).find((child) => child.type === type)?.whole
}

function boxesIn(parent: Buffer, { headBytes }: Box, count: BoxCount): (Box & { readonly whole: Buffer })[] {
  const found = []
  for (let at = headBytes; at < parent.length; ) {
    count.add()
    const rest = parent.subarray(at)
    const box = readBox(rest)
    if (!box) break
    const whole = rest.subarray(0, box.sizeBytes || rest.length)
    found.push({ ...box, whole })
    at += whole.length
  }
  return found
}

/** Keeps the size, sets the type that readers skip, and clears the content. */
function blank(whole: Buffer, { headBytes }: Box): void {
  whole.write('free', 4, 'latin1')
  whole.fill(0, headBytes)
}

/** Reads given numbers of bytes from a stream. */
class BoxReader {
  readonly #iterator: AsyncIterator<Uint8Array>
  #held: Buffer = Buffer.alloc(0)

  constructor(content: Bytes) {
    this.#iterator = content[Symbol.asyncIterator]()
  }

  /** The next bytes, fewer at the end. They stay in the stream. */
  async peek(count: number): Promise<Buffer> {
    const chunks = this.#held.length > 0 ? [this.#held] : []
    let bytes = this.#held.length
    while (bytes < count) {
      const { done, value } = await this.#iterator.next()
      if (done) break
      chunks.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength))
      bytes += value.byteLength
    }
    this.#held = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
    return this.#held.subarray(0, count)
  }

  /** A copy of the next bytes, fewer at the end. */
  async take(count: number): Promise<Buffer> {
    const taken = Buffer.from(await this.peek(count))
    this.#held = this.#held.subarray(taken.length)
    return taken
  }

  async close(): Promise<void> {
    await this.#iterator.return?.()
  }

  /** Passes the given number of bytes on as they arrive. */
  async *pass(count: number): Bytes {
    for (let left = count; left > 0; ) {
      if (this.#held.length === 0 && (await this.peek(1)).length === 0) return
      const piece = this.#held.subarray(0, left)
      this.#held = this.#held.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }
}
