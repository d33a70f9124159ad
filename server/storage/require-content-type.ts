import { fileTypeFromBuffer } from 'file-type'
import type { BucketLimits } from './bucket-queries.ts'
import { storageErrors } from './errors.ts'
import { bareType, isAllowedType, isMediaOnly } from './mime.ts'

/** How many of the first bytes `requireContentType` needs: file-type's recommendation, which its types leave out. */
export const headBytes = 4100

/** The containers in which browsers record sound (MediaRecorder). */
const recordings = new Set(['video/webm', 'video/matroska', 'audio/ogg', 'video/mp4', 'audio/mp4', 'audio/x-m4a'])

/** An animated PNG is a PNG for every program that shows it. */
const sameAs: Readonly<Record<string, string>> = { 'image/apng': 'image/png' }

/**
 * The type that a file is stored with. In a bucket for pictures and videos the first bytes decide, not the declared type.
 * @throws InvalidMimeType (415).
 */
export async function requireContentType(head: Uint8Array, declared: string, bucket: BucketLimits): Promise<string> {
  const { allowed_mime_types: allowed } = bucket
  if (!isAllowedType(declared, allowed)) throw storageErrors.invalidMimeType(declared)
  if (!isMediaOnly(allowed)) return declared
  const type = await detectType(head)
  // Sound alone is in the same containers as a video, and their first bytes don't tell.
  if (family(declared) === 'audio' && type && recordings.has(bareType(type))) return bareType(declared)
  if (!type || !isAllowedType(type, allowed) || family(type) !== family(declared)) {
    throw storageErrors.contentMismatch(declared)
  }
  return type
}

/** The type that a file's first bytes show. */
export async function detectType(head: Uint8Array): Promise<string | undefined> {
  const detected = (await fileTypeFromBuffer(head))?.mime
  return detected && (sameAs[detected] ?? detected)
}

/** `image`, `video`, `audio`: posts.media_types records the same for the file and must match it. */
function family(type: string): string | undefined {
  return bareType(type).split('/')[0]
}
