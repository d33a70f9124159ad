import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { objectCacheSeconds } from '@ovation/contract/limits'
import type { Caller } from '../../postgres/caller.ts'
import { findBucketLimits } from '../bucket-queries.ts'
import { chunksOf, paced, peek } from '../byte-stream.ts'
import { storageErrors } from '../errors.ts'
import { parseMetadata, requireCacheControl } from '../incoming-file.ts'
import { maxObjectBytes } from '../max-object-bytes.ts'
import { isAllowedType } from '../mime.ts'
import { requireObjectKey } from '../object-key.ts'
import type { StoredPart } from '../object-store.ts'
import { headBytes, requireContentType } from '../require-content-type.ts'
import type { StorageParts } from '../storage-parts.ts'
import type { UploadLink } from '../upload-link.ts'
import { requireRightToUpload } from '../upload-object.ts'
import { discardRefused, discardUpload, removeFiles } from '../uploads/discard-upload.ts'
import { finishUpload, totalBytes } from '../uploads/finish-upload.ts'
import {
  appendParts,
  deleteParts,
  findParts,
  findUpload,
  insertUpload,
  setUploadSize,
  type Upload,
  type Uploader,
} from '../uploads/upload-queries.ts'
import { PieceReader } from './piece-reader.ts'
import { type Checksum, type Concatenation, readMetadata } from './tus-headers.ts'

/** As storage-api: an upload that isn't finished within a day is deleted. */
const lifetimeMs = 24 * 3600 * 1000
/** Size of one record: a client that sends everything in one request loses at most this when the server is killed. */
const partBytes = 16 * 1024 * 1024

/** The owner of an upload: `caller` is for permission checks in the database, `uploader` identifies the owner. */
export type Sender = {
  readonly caller: Caller
  readonly uploader: Uploader
  readonly upsert: boolean
  /** The link that the file comes through; the upload that becomes the object uses it up. */
  readonly link?: UploadLink
}

export type Creation = {
  /** `Upload-Metadata` as received. */
  readonly metadata: string | undefined
  readonly sizeBytes: number | undefined
  readonly concatenation: Concatenation | undefined
  /** `Upload-Concat` as received. */
  readonly tusConcat: string | undefined
}

/** What a client sees of an upload. */
export type Progress = { readonly upload: Upload; readonly offset: number }

/** The file that `Upload-Metadata` names. @throws InvalidRequest (400), InvalidKey (400). */
export function readTarget(metadata: string | undefined): { bucket: string; name: string } {
  const pairs = readMetadata(metadata)
  const bucket = pairs.get('bucketName')
  const name = pairs.get('objectName')
  if (!bucket || !name) throw storageErrors.invalidRequest('Upload-Metadata must have bucketName and objectName')
  return { bucket, name: requireObjectKey(name) }
}

/** Resumable uploads (TUS 1.0). The database holds each upload and its list of parts; the store holds their bytes. */
export class TusUploads {
  readonly #parts: StorageParts

  constructor(parts: StorageParts) {
    this.#parts = parts
  }

  /** @throws NoSuchBucket, AccessDenied, KeyAlreadyExists, EntityTooLarge, InvalidMimeType, InvalidRequest. */
  async create(sender: Sender, creation: Creation): Promise<Progress> {
    const { database } = this.#parts
    const { caller, uploader, upsert, link } = sender
    const { bucket, name } = readTarget(creation.metadata)
    const pairs = readMetadata(creation.metadata)
    const limits = await findBucketLimits(database.service, bucket)
    if (!limits) throw storageErrors.noSuchBucket()
    const contentType = pairs.get('contentType') || 'application/octet-stream'
    if (!isAllowedType(contentType, limits.allowed_mime_types)) throw storageErrors.invalidMimeType(contentType)
    if ((creation.sizeBytes ?? 0) > maxObjectBytes(limits, contentType)) throw storageErrors.uploadTooLarge()
    await requireRightToUpload(database, caller, { bucket, name, owner: uploader.owner, upsert, link })
    const sources = await this.#findSources(uploader, { bucket, name }, creation.concatenation)
    if (contentType.startsWith('video/')) await this.#parts.quota.requireVideoPlace(uploader.owner)
    // The parts of a concatenation are already counted.
    const newBytes = sources ? 0 : creation.sizeBytes
    const upload = await this.#parts.quota.openUpload(uploader.owner, newBytes, (db) =>
      insertUpload(
        db,
        {
          protocol: 'tus',
          bucket,
          name,
          uploader,
          upsert,
          sizeBytes: sources ? totalBytes(sources.parts) : creation.sizeBytes,
          contentType,
          cacheControl: readCacheControl(pairs.get('cacheControl')),
          userMetadata: parseMetadata(pairs.get('metadata')),
          tusMetadata: creation.metadata,
          tusConcat: creation.tusConcat,
        },
        new Date(Date.now() + lifetimeMs),
      ),
    )
    if (!sources) return upload.sizeBytes === 0 ? this.#finish(sender, upload, []) : { upload, offset: 0 }
    const progress = await this.#finish(sender, upload, sources.parts)
    for (const { id } of sources.uploads) await discardUpload(this.#parts, id)
    return progress
  }

  /** The file that an upload is for. @throws NoSuchUpload (404). */
  async targetOf(id: string): Promise<{ bucket: string; name: string }> {
    const upload = await findUpload(this.#parts.database.service, 'tus', id)
    if (!upload) throw storageErrors.noSuchUpload()
    return upload
  }

  /** @throws NoSuchUpload (404) when the sender has no such upload. */
  async find(uploader: Uploader, id: string): Promise<Progress> {
    const { upload, stored } = await this.#open(uploader, id)
    return { upload, offset: offsetOf(upload, stored) }
  }

  /**
   * Takes more bytes as they arrive and records them part by part; with a checksum, only once the checksum matches.
   * @param length the total size, from a client that did not know it at the start.
   * @returns the offset; `complete` is false when the connection broke.
   * @throws WrongOffset (409), EntityTooLarge (413), ChecksumMismatch (460), and the rejections of an upload.
   */
  async append(
    sender: Sender,
    id: string,
    body: Readable,
    request: {
      offset: number
      length?: number | undefined
      announcedBytes?: number | undefined
      checksum?: Checksum | undefined
    },
  ): Promise<Progress & { complete: boolean }> {
    const opened = await this.#open(sender.uploader, id)
    const { stored } = opened
    if (request.offset !== offsetOf(opened.upload, stored)) throw storageErrors.wrongOffset()
    const { caller, uploader, link } = sender
    // Check the permission first, so that a sender without it needn't send the rest.
    if (link && !opened.upload.finished) {
      const { bucket, name, upsert } = opened.upload
      await requireRightToUpload(this.#parts.database, caller, { bucket, name, owner: uploader.owner, upsert, link })
    }
    const upload = await this.#learnLength(opened.upload, request.length)
    const most = Math.min(
      await this.#mostBytes(upload),
      upload.sizeBytes ?? request.offset + (await this.#parts.quota.left(sender.uploader.owner)),
    )
    if (request.offset + (request.announcedBytes ?? 0) > most) throw storageErrors.uploadTooLarge()

    const reader = new PieceReader(paced(chunksOf(body), this.#parts.pace))
    const hash = request.checksum && createHash(request.checksum.algorithm)
    const pending: StoredPart[] = []
    let offset = request.offset
    try {
      while (!(await reader.isEmpty())) {
        if (offset === most) throw storageErrors.uploadTooLarge()
        const bytes = reader.piece(Math.min(partBytes, most - offset))
        const checked = offset === 0 ? await this.#checkBeginning(upload, bytes) : bytes
        const part = await this.#parts.store.writePart(
          hash ? hashed(checked, hash) : checked,
          pending.at(-1) ?? stored.at(-1),
        )
        pending.push(part)
        offset += part.sizeBytes
        if (!hash && offset !== upload.sizeBytes) await this.#record(upload, stored, pending)
      }
      if (hash && reader.cutOff !== undefined) throw reader.cutOff
      if (hash && !hash.digest().equals(request.checksum?.digest ?? Buffer.alloc(0)))
        throw storageErrors.wrongChecksum()
      const isWhole = offset === upload.sizeBytes && upload.tusConcat !== 'partial'
      if (isWhole && !upload.finished) {
        // The last part is not recorded: until the object exists, the client has to return with it.
        return { ...(await this.#finish(sender, upload, [...stored, ...pending])), complete: true }
      }
      await this.#record(upload, stored, pending)
      return { upload, offset, complete: reader.cutOff === undefined }
    } catch (error) {
      // A part behind another one has no separate file: its bytes are overwritten or cut off later.
      const kept = new Set(stored.map(({ file }) => file))
      for (const { file } of pending) if (!kept.has(file)) await this.#parts.store.removePart(file)
      throw error
    }
  }

  /** Deletes an upload and its parts. */
  async terminate(uploader: Uploader, id: string): Promise<void> {
    const { upload } = await this.#open(uploader, id)
    await discardUpload(this.#parts, upload.id)
  }

  async #open(uploader: Uploader, id: string) {
    const { service } = this.#parts.database
    const upload = await findUpload(service, 'tus', id)
    // Another sender's upload looks like a missing one.
    if (!upload || upload.role !== uploader.role || (upload.owner ?? undefined) !== uploader.owner) {
      throw storageErrors.noSuchUpload()
    }
    return { upload, stored: [...(await findParts(service, id))] as StoredPart[] }
  }
  async #findSources(uploader: Uploader, target: { bucket: string; name: string }, wanted: Concatenation | undefined) {
    if (wanted?.kind !== 'final') return undefined
    const sources = []
    for (const id of wanted.uploads) {
      const { upload, stored } = await this.#open(uploader, id)
      const fits = upload.tusConcat === 'partial' && upload.bucket === target.bucket && upload.name === target.name
      if (!fits || totalBytes(stored) !== upload.sizeBytes) {
        throw storageErrors.invalidRequest('Only complete partial uploads of the same object can be put together')
      }
      sources.push({ upload, stored })
    }
    return { uploads: sources.map(({ upload }) => upload), parts: sources.flatMap(({ stored }) => stored) }
  }

  async #learnLength(upload: Upload, length: number | undefined): Promise<Upload> {
    if (length === undefined || length === upload.sizeBytes) return upload
    if (upload.sizeBytes !== null) throw storageErrors.invalidRequest("Upload-Length can't be changed")
    if (length > (await this.#mostBytes(upload))) throw storageErrors.uploadTooLarge()
    await setUploadSize(this.#parts.database.service, upload.id, length)
    return { ...upload, sizeBytes: length }
  }

  /** The maximum total size. */
  async #mostBytes({ sizeBytes, bucket, contentType }: Upload): Promise<number> {
    if (sizeBytes !== null) return sizeBytes
    const limits = await findBucketLimits(this.#parts.database.service, bucket)
    if (!limits) throw storageErrors.noSuchBucket()
    return maxObjectBytes(limits, contentType)
  }

  /** Rejects a file with a wrong type at its first bytes, not after the last ones. */
  async #checkBeginning(upload: Upload, bytes: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
    const { head, content } = await peek(bytes, headBytes)
    if (upload.tusConcat === 'partial' || head.byteLength < headBytes) return content
    const limits = await findBucketLimits(this.#parts.database.service, upload.bucket)
    if (!limits) throw storageErrors.noSuchBucket()
    await requireContentType(head, upload.contentType, limits).catch((error: unknown) =>
      discardRefused(this.#parts, upload.id, error),
    )
    return content
  }

  async #record(upload: Upload, stored: StoredPart[], pending: StoredPart[]) {
    if (pending.length === 0) return
    await appendParts(this.#parts.database.service, upload.id, stored.length + 1, pending)
    stored.push(...pending.splice(0))
  }

  async #finish({ caller, link }: Sender, upload: Upload, stored: readonly StoredPart[]): Promise<Progress> {
    await finishUpload(this.#parts, caller, upload, stored, link).catch((error: unknown) =>
      discardRefused(this.#parts, upload.id, error),
    )
    const recorded = await deleteParts(this.#parts.database.service, upload.id)
    await removeFiles(this.#parts, [...recorded, ...stored.map(({ file }) => file)])
    return { upload: { ...upload, finished: true }, offset: totalBytes(stored) }
  }
}

function offsetOf({ finished, sizeBytes }: Upload, stored: readonly StoredPart[]): number {
  return finished ? (sizeBytes ?? 0) : totalBytes(stored)
}

/** Seconds, as storage-js sends them, or a header value. */
function readCacheControl(value: string | undefined): string {
  if (!value) return `max-age=${objectCacheSeconds}`
  return requireCacheControl(/^\d+$/.test(value) ? `max-age=${value}` : value)
}

async function* hashed(content: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
}
