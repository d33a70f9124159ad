import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

/** Facts measured while the bytes went by. `md5` is in hex. */
export type StoredContent = { readonly sizeBytes: number; readonly md5: string }

/** First and last byte, both included. */
export type ByteRange = { readonly start: number; readonly end: number }

/** A piece of an upload that is not finished: so many bytes of a file that the store names, from `start` on. */
export type StoredPart = StoredContent & { readonly file: string; readonly start: number }

/** Content that is there and waits to be sent. Whoever opened it sends it, once. */
export type OpenContent = {
  /** Writes the bytes at the receiver's pace and ends it. @throws when the receiver goes away or the content can't be read to its end. */
  sendTo(receiver: ServerResponse): Promise<void>
}

/** Headers of the answer that a link of the store's own gives. */
export type LinkHeaders = {
  readonly contentType: string
  readonly cacheControl: string
  readonly contentDisposition: string | undefined
  readonly contentEncoding: string | undefined
}

/**
 * Where the bytes lie: the disk, or S3. It knows no paths and no people: content is kept under a version, a fresh UUID for each
 * upload, which the row in `storage.objects` points to. So no path ever reaches a file system, a move needs no copy, and an
 * overwrite can't be seen half done. Content comes first and its row second: a crash between them leaves content that no row names,
 * which is harmless, and which the sweep removes.
 *
 * What arrives in pieces (TUS, S3's multipart uploads) is kept as parts, and assembled into content at the end. The rows in
 * `private.upload_parts` say which parts an upload has.
 */
export type ObjectStore = {
  /** Keeps the whole stream under `version`, or nothing at all. @throws InsufficientStorage (507); whatever the stream throws. */
  write(version: string, content: AsyncIterable<Uint8Array>): Promise<StoredContent>
  /** The content is known to be readable when this resolves. @throws InternalError (500) when it is not there. */
  read(version: string, range?: ByteRange): Promise<Readable>
  /** As `read`, for sending to a receiver in the way that costs this store the least. */
  open(version: string, range: ByteRange): Promise<OpenContent>
  /** Gives the same content a second version. */
  copy(from: string, to: string): Promise<void>
  /** Absent content is no error: a removal may be repeated. */
  remove(version: string): Promise<void>
  /** Versions whose content was finished before the given time, in no order. */
  listBefore(time: Date): AsyncIterable<string>
  /** Removes what interrupted writes left behind before the given time. Parts are not touched. */
  removeUnfinishedBefore(time: Date): Promise<void>

  /**
   * Keeps the whole stream as a part, or nothing at all. What follows `after` may go into the same file, where the store can do that
   * safely: assembling such parts costs no copy. Two parts must never be written behind the same one at once.
   */
  writePart(content: AsyncIterable<Uint8Array>, after?: StoredPart): Promise<StoredPart>
  /** The bytes of all parts, in order. */
  readParts(parts: readonly StoredPart[]): AsyncIterable<Uint8Array>
  /** Keeps the bytes of all parts, in order, under `version`. The parts stay, and may be assembled again. */
  assemble(version: string, parts: readonly StoredPart[]): Promise<void>
  /** Absent files are no error. */
  removePart(file: string): Promise<void>
  /** Files of parts that nothing was written to since the given time. */
  listPartsBefore(time: Date): AsyncIterable<string>

  /** An address from which the content can be had without us for a while; undefined when the store gives none away. */
  linkTo(version: string, seconds: number, headers: LinkHeaders): Promise<string | undefined>
  /** @throws when content can neither be kept nor read now. */
  check(): Promise<void>
}
