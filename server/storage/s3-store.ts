import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { S3Settings } from '../config.ts'
import { storageErrors } from './errors.ts'
import type { ByteRange, ObjectStore, StoredContent, StoredPart } from './object-store.ts'
import { StoreBreaker } from './store-breaker.ts'

/** S3 requires at least 5 MiB in each piece of an object but the last. */
const leastPieceBytes = 5 * 1024 * 1024
const pieceBytes = 8 * 1024 * 1024
/** How many pieces are copied at once when an upload is assembled; S3 itself copies the bytes. */
const copiesAtOnce = 4

/**
 * Any store that speaks the S3 protocol. Content is under `objects/<version>`, parts under `parts/<file>`. Each part is a separate
 * object: S3's multipart uploads require pieces of 5 MiB or more, while TUS lets a connection break anywhere.
 * @param scratch folder for a part in transit: S3 needs its length first.
 */
export function buildS3Store(settings: S3Settings, scratch: string): ObjectStore {
  const { bucket: Bucket, timeoutMs } = settings
  const client = new S3Client({
    region: settings.region,
    ...(settings.endpoint && { endpoint: settings.endpoint }),
    forcePathStyle: settings.forcePathStyle,
    ...(settings.credentials && { credentials: settings.credentials }),
    maxAttempts: 2,
    requestHandler: { connectionTimeout: timeoutMs, requestTimeout: timeoutMs, throwOnRequestTimeout: true },
    // Some servers don't know the checksums beyond those that the protocol requires.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const breaker = new StoreBreaker(isAway)
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) =>
        // The health check always asks, so it reports what is.
        breaker.run(() => next(args), { always: commandName === 'HeadBucketCommand' }),
    { step: 'initialize', name: 'tellsWhenAway' },
  )
  /** S3 copies within itself, which takes a while for a large object. */
  const patient = { requestTimeout: timeoutMs * 10 }
  const content = (version: string) => `objects/${version}`
  const part = (file: string) => `parts/${file}`
  const copySource = (key: string) => `${Bucket}/${key}`

  async function readPart({ file, start, sizeBytes }: StoredPart): Promise<Readable> {
    const { Body } = await client.send(
      new GetObjectCommand({ Bucket, Key: part(file), Range: `bytes=${start}-${start + sizeBytes - 1}` }),
    )
    return Body as Readable
  }

  async function readContent(version: string, range?: ByteRange): Promise<Readable> {
    const Range = range && `bytes=${range.start}-${range.end}`
    const { Body } = await client
      .send(new GetObjectCommand({ Bucket, Key: content(version), ...(Range && { Range }) }))
      .catch((error: unknown) => {
        throw isAbsent(error) ? storageErrors.lostContent(error) : error
      })
    return Body as Readable
  }

  async function* readParts(parts: readonly StoredPart[]) {
    for (const one of parts) if (one.sizeBytes > 0) yield* await readPart(one)
  }

  async function* list(prefix: string, before: Date) {
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })) {
      for (const { Key = '', LastModified = new Date() } of Contents) {
        if (LastModified < before) yield Key.slice(prefix.length)
      }
    }
  }

  /** Copies within S3; only pieces below S3's minimum pass through this server. */
  async function joinPieces(Key: string, pieces: readonly StoredPart[][]) {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))
    const upload = { Bucket, Key, UploadId }
    try {
      const parts = await inTurns(pieces, copiesAtOnce, async (piece, index) => {
        const PartNumber = index + 1
        const [only] = piece
        if (piece.length === 1 && only) {
          const CopySource = copySource(part(only.file))
          const copy = new UploadPartCopyCommand({ ...upload, PartNumber, CopySource })
          const { CopyPartResult } = await client.send(copy, patient)
          return { PartNumber, ETag: CopyPartResult?.ETag }
        }
        const Body = Buffer.concat(await Array.fromAsync(readParts(piece)))
        const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }))
        return { PartNumber, ETag }
      })
      await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }), patient)
    } catch (error) {
      await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined) // otherwise the sweep does it
      throw error
    }
  }

  return {
    async write(version, bytes) {
      const measured = measure(bytes)
      const upload = new Upload({
        client,
        params: { Bucket, Key: content(version), Body: Readable.from(measured.content, { objectMode: false }) },
        partSize: pieceBytes,
        queueSize: 1, // keeps one piece for each upload in memory
      })
      await upload.done()
      return measured.result()
    },

    read: readContent,

    async open(version, range) {
      const stream = await readContent(version, range)
      return { sendTo: (receiver) => pipeline(stream, receiver) }
    },

    async saveAs(version, path) {
      await pipeline(await readContent(version), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    },

    async copy(from, to) {
      const CopySource = copySource(content(from))
      await client
        .send(new CopyObjectCommand({ Bucket, Key: content(to), CopySource }), patient)
        .catch((error: unknown) => {
          throw isAbsent(error) ? storageErrors.lostContent(error) : error
        })
    },

    async remove(version) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: content(version) }))
    },

    listBefore: (time) => list('objects/', time),

    async removeUnfinishedBefore(time) {
      let page: ListMultipartUploadsCommandOutput | undefined
      do {
        page = await client.send(
          new ListMultipartUploadsCommand({
            Bucket,
            KeyMarker: page?.NextKeyMarker,
            UploadIdMarker: page?.NextUploadIdMarker,
          }),
        )
        for (const { Key, UploadId, Initiated = new Date() } of page.Uploads ?? []) {
          if (Initiated < time) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
        }
      } while (page.IsTruncated)
    },

    async writePart(bytes) {
      const file = randomUUID()
      const temporary = join(scratch, file)
      const measured = measure(bytes)
      await mkdir(scratch, { recursive: true, mode: 0o700 })
      try {
        await pipeline(measured.content, createWriteStream(temporary, { flags: 'wx', mode: 0o600 }))
        const result = measured.result()
        await client.send(
          new PutObjectCommand({
            Bucket,
            Key: part(file),
            Body: result.sizeBytes === 0 ? new Uint8Array() : createReadStream(temporary),
            ContentLength: result.sizeBytes,
          }),
        )
        return { ...result, file, start: 0 }
      } finally {
        await rm(temporary, { force: true })
      }
    },

    readParts,

    async assemble(version, parts) {
      const filled = parts.filter(({ sizeBytes }) => sizeBytes > 0)
      const [only] = filled
      const Key = content(version)
      if (!only) await client.send(new PutObjectCommand({ Bucket, Key, Body: new Uint8Array() }))
      else if (filled.length > 1) await joinPieces(Key, groupPieces(filled))
      else await client.send(new CopyObjectCommand({ Bucket, Key, CopySource: copySource(part(only.file)) }), patient)
    },

    async removePart(file) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: part(file) }))
    },

    listPartsBefore: (time) => list('parts/', time),

    async linkTo(version, seconds, { contentType, cacheControl, contentDisposition, contentEncoding }) {
      if (!settings.redirects) return undefined
      const command = new GetObjectCommand({
        Bucket,
        Key: content(version),
        ResponseContentType: contentType,
        ResponseCacheControl: cacheControl,
        ...(contentDisposition && { ResponseContentDisposition: contentDisposition }),
        ...(contentEncoding && { ResponseContentEncoding: contentEncoding }),
      })
      return getSignedUrl(client, command, { expiresIn: seconds })
    },

    async check() {
      await client.send(new HeadBucketCommand({ Bucket }), { abortSignal: AbortSignal.timeout(3000) })
    },
  }
}

function measure(content: AsyncIterable<Uint8Array>) {
  const hash = createHash('md5')
  let sizeBytes = 0
  return {
    content: (async function* () {
      for await (const chunk of content) {
        sizeBytes += chunk.byteLength
        hash.update(chunk)
        yield chunk
      }
    })(),
    result: (): StoredContent => ({ sizeBytes, md5: hash.digest('hex') }),
  }
}

/** Runs of parts that are large enough to be pieces for S3. The last may be smaller. */
export function groupPieces(parts: readonly StoredPart[]): StoredPart[][] {
  const pieces: StoredPart[][] = []
  let current: StoredPart[] = []
  let currentBytes = 0
  for (const one of parts) {
    current.push(one)
    currentBytes += one.sizeBytes
    if (currentBytes < leastPieceBytes) continue
    pieces.push(current)
    current = []
    currentBytes = 0
  }
  return current.length > 0 ? [...pieces, current] : pieces
}

/** Works on up to `atOnce` items at a time. @returns the results in the items' order. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item, index)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

function isAbsent(error: unknown): boolean {
  return error instanceof NoSuchKey || error instanceof NotFound
}

/** S3 was unreachable, did not answer in time, or reports that it can't serve now. */
function isAway(error: unknown): boolean {
  const { name, code, $metadata } = error as {
    name?: string
    code?: string
    $metadata?: { httpStatusCode?: number }
  }
  const status = $metadata?.httpStatusCode ?? 0
  return (
    status === 502 ||
    status === 503 ||
    status === 504 ||
    name === 'TimeoutError' ||
    name === 'AbortError' || // the health check's own time limit
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/.test(code ?? '')
  )
}
