import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { ObjectStore } from '../storage/object-store.ts'

/** A file of the person's, as `storage.objects` has it. */
export type OwnFile = {
  readonly bucket: string
  readonly path: string
  readonly version: string
  /** Bytes. */
  readonly size: number
  readonly createdAt: Date
}

/**
 * A ZIP with `my-data.json` and, below `files/`, everything the person has uploaded. It is written while it is sent, one file after the
 * other, so that a hundred gigabytes take no more memory than one. A file whose content can't be read ends it: a copy that lacks
 * something must not look whole.
 */
export function archiveOf(store: ObjectStore, data: object, files: readonly OwnFile[]): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  zip.addBuffer(Buffer.from(JSON.stringify(data, null, 2)), 'my-data.json')
  for (const { bucket, path, version, size, createdAt } of files) {
    // Pictures and videos are as small as they get; their size, said first, is what lets a large one be told apart from a broken one.
    zip.addReadStreamLazy(entryName(bucket, path), { compress: false, size, mtime: createdAt }, (hand) => {
      store.read(version).then(
        (content) =>
          hand(
            null,
            content.on('error', (error) => output.destroy(error)),
          ),
        (error) => output.destroy(error),
      )
    })
  }
  zip.end()
  return output
}

/** A path may hold what a folder on somebody's disk may not: nothing leads out of `files/`. */
const entryName = (bucket: string, path: string): string =>
  ['files', bucket, ...path.split('/')].map((part) => (/^\.*$/.test(part) ? '_' : part.replaceAll('\\', '_'))).join('/')
