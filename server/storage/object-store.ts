import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

/** Facts measured while the bytes passed through. `md5` is in hex. */
export type StoredContent = { readonly sizeBytes: number; readonly md5: string }

/** First and last byte, both included. */
export type ByteRange = { readonly start: number; readonly end: number }

/** A piece of an unfinished upload: `sizeBytes` bytes of a file that the store names, from `start` on. */
export type StoredPart = StoredContent & { readonly file: string; readonly start: number }

/** Content that is open and ready to be sent. The caller that opened it sends it, once. */
export type OpenContent = {
  /** Writes the bytes at the receiver's pace and ends it. @throws when the receiver goes away or the content can't be read to its end. */
  sendTo(receiver: ServerResponse): Promise<void>
}

/** Response headers for a link that the store itself serves. */
export type LinkHeaders = {
  readonly contentType: string
  readonly cacheControl: string
  readonly contentDisposition: string | undefined
  readonly contentEncoding: string | undefined
}

/**
 * Holds the bytes, on disk or in S3. It knows no paths and no users. Content is stored under a version, a new UUID for each
 * upload, which the row in `storage.objects` points to. So no path ever reaches a file system, a move needs no copy, and a
 * half-done overwrite is never visible. Content is written before its row: a crash between them leaves content that no row names,
 * which is harmless, and the sweep removes it.
 *
 * Resumable and multipart uploads (TUS, S3) are stored as parts, and assembled into content at the end. The rows in
 * `private.upload_parts` say which parts an upload has.
 */
export type ObjectStore = {
  /** Stores the whole stream under `version`, or nothing at all. @throws InsufficientStorage (507); the stream's own errors. */
  write(version: string, content: AsyncIterable<Uint8Array>): Promise<StoredContent>
  /** Resolves once the content is known to be readable. @throws InternalError (500) when it is missing. */
  read(version: string, range?: ByteRange): Promise<Readable>
  /** Like `read`, for sending to a receiver in the cheapest way for this store. */
  open(version: string, range: ByteRange): Promise<OpenContent>
  /** Makes the content a file that programs can open: the caller only reads it, and removes it. Its folder exists, and the file doesn't. */
  saveAs(version: string, path: string): Promise<void>
  /** Gives the same content a second version. */
  copy(from: string, to: string): Promise<void>
  /** Missing content isn't an error: a removal may be repeated. */
  remove(version: string): Promise<void>
  /** Versions whose content was finished before the given time, in no order. */
  listBefore(time: Date): AsyncIterable<string>
  /** Removes what interrupted writes left behind before the given time. Keeps parts. */
  removeUnfinishedBefore(time: Date): Promise<void>

  /**
   * Stores the whole stream as a part, or nothing at all. The bytes after `after` may go into the same file, where the store can do that
   * safely: assembling such parts costs no copy. Two parts must never be written behind the same one at once.
   */
  writePart(content: AsyncIterable<Uint8Array>, after?: StoredPart): Promise<StoredPart>
  /** The bytes of all parts, in order. */
  readParts(parts: readonly StoredPart[]): AsyncIterable<Uint8Array>
  /** Stores the bytes of all parts, in order, under `version`. The parts stay, and may be assembled again. */
  assemble(version: string, parts: readonly StoredPart[]): Promise<void>
  /** Missing files aren't an error. */
  removePart(file: string): Promise<void>
  /** Files of parts that have not been written to since the given time. */
  listPartsBefore(time: Date): AsyncIterable<string>

  /** A temporary address that serves the content without this server; undefined when the store has none. */
  linkTo(version: string, seconds: number, headers: LinkHeaders): Promise<string | undefined>
  /** @throws when the store can't write or read content now. */
  check(): Promise<void>
}
