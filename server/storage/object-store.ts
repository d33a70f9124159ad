import type { Readable } from 'node:stream'

/** Facts measured while the bytes went by. `md5` is in hex. */
export type StoredContent = { readonly sizeBytes: number; readonly md5: string }

/** First and last byte, both included. */
export type ByteRange = { readonly start: number; readonly end: number }

/**
 * Where the bytes lie: the disk, or S3. It knows no paths and no people: content is kept under a version, a fresh UUID for each
 * upload, which the row in `storage.objects` points to. So no path ever reaches a file system, a move needs no copy, and an
 * overwrite can't be seen half done. Content comes first and its row second: a crash between them leaves content that no row names,
 * which is harmless, and which the sweep removes.
 */
export type ObjectStore = {
  /** Keeps the whole stream under `version`, or nothing at all. @throws InsufficientStorage (507); whatever the stream throws. */
  write(version: string, content: AsyncIterable<Uint8Array>): Promise<StoredContent>
  /** The content is known to be readable when this resolves. @throws InternalError (500) when it is not there. */
  read(version: string, range?: ByteRange): Promise<Readable>
  /** Gives the same content a second version. */
  copy(from: string, to: string): Promise<void>
  /** Absent content is no error: a removal may be repeated. */
  remove(version: string): Promise<void>
  /** Versions whose content was finished before the given time, in no order. */
  listBefore(time: Date): AsyncIterable<string>
  /** Removes what interrupted writes left behind before the given time. */
  removeUnfinishedBefore(time: Date): Promise<void>
}
