import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { ObjectStore } from '../storage/object-store.ts'

/** The single values in a copy of a user's data, and the names of the lists that follow, in order. */
export type OwnData = Readonly<Record<string, unknown>> & { readonly sections: readonly string[] }

/** A row of one of those lists, as JSON. */
export type OwnRow = { readonly section: string; readonly item: string }

/** A file of the user's, as in `storage.objects`. */
export type OwnFile = {
  readonly bucket: string
  readonly path: string
  readonly version: string
  /** Bytes. */
  readonly size: number
  readonly createdAt: Date
}

/** A text of the copy, read part after part. */
export type OwnDocument = { readonly name: string; readonly parts: AsyncGenerator<string, void> }

/**
 * How many characters of a document to read before sending anything: nearly every copy is complete by then, and becomes ordinary ZIP
 * entries. A longer one is read while it is sent, as ZIP64, because it may pass 4 GB; some programs can't open that.
 */
const readAtOnce = 2 * 1024 * 1024

/**
 * A ZIP with the documents and, below `files/`, everything the user has uploaded. It is written while it is sent, page after page and
 * one file after the other, so that millions of rows and a hundred gigabytes take no more memory than a few. A read error aborts it:
 * an incomplete copy must not look complete.
 * @param documents read one after the other, because they share a connection.
 */
export async function archiveOf(
  store: ObjectStore,
  documents: readonly OwnDocument[],
  files: readonly OwnFile[],
): Promise<Readable> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const end = (error: Error) => output.destroy(error)
  zip.on('error', end)
  let isReadLater = false
  for (const { name, parts } of documents) {
    let start = ''
    if (!isReadLater) {
      let next = await parts.next()
      for (; !next.done && start.length < readAtOnce; next = await parts.next()) start += next.value
      if (next.done) {
        zip.addBuffer(Buffer.from(start), name)
        continue
      }
      start += next.value
      isReadLater = true // and all that follow it
    }
    const text = Readable.from(joined(start, parts), { objectMode: false }).on('error', end)
    output.on('close', () => text.destroy())
    zip.addReadStream(text, name, { forceZip64Format: true })
  }
  for (const { bucket, path, version, size, createdAt } of files) {
    // Stored uncompressed, because pictures and videos don't shrink. The size comes first, so that a broken file can be detected.
    zip.addReadStreamLazy(entryName(bucket, path), { compress: false, size, mtime: createdAt }, (hand) => {
      store.read(version).then(
        (content) => hand(null, content.on('error', end)),
        (error) => end(error),
      )
    })
  }
  zip.end()
  return output
}

async function* joined(start: string, rest: AsyncGenerator<string, void>) {
  yield start
  yield* rest
}

/**
 * One JSON object, one row per line. A section without rows is an empty list.
 * @param pages the rows of the lists, in the order of `sections`.
 */
export async function* jsonOf(
  { sections, ...single }: OwnData,
  pages: AsyncIterable<readonly OwnRow[]>,
): AsyncGenerator<string, void> {
  let text = '{'
  for (const [name, value] of Object.entries(single)) text += `\n  ${JSON.stringify(name)}: ${JSON.stringify(value)},`
  const [first, ...later] = sections
  let section = first
  let separator = ''
  text += opening(section)
  for await (const rows of pages) {
    for (const row of rows) {
      while (section !== row.section) {
        if (later.length === 0) throw new Error(`Rows of ${row.section} are out of order`)
        section = later.shift()
        separator = ''
        text += `],${opening(section)}`
      }
      text += `${separator}\n    ${row.item}`
      separator = ','
    }
    yield text
    text = ''
  }
  for (const name of later) text += `],${opening(name)}`
  yield `${text}]\n}\n`
}

const opening = (section: string | undefined): string => `\n  ${JSON.stringify(section)}: [`

/** A path may contain anything, including what a disk doesn't allow: nothing may lead out of `files/`. */
const entryName = (bucket: string, path: string): string =>
  ['files', bucket, ...path.split('/')].map((part) => (/^\.*$/.test(part) ? '_' : part.replaceAll('\\', '_'))).join('/')
