import { fileMaxBytes, videoMaxBytes } from '@ovation/contract/limits'
import type { BucketLimits } from './bucket-queries.ts'

/** Pictures and videos in these buckets are shown to others, so they must not tell where they were taken. */
const shownToOthers = new Set(['posts', 'messages', 'avatars', 'banners'])

/** ID images (VER) stay as they were handed in: their reviewers judge the original. */
export function stripsNotes(bucketId: string): boolean {
  return shownToOthers.has(bucketId)
}

/** Most bytes of one object. In `posts` and `messages` only a video may use the whole of the bucket's limit (POST-25). */
export function maxObjectBytes(bucket: BucketLimits, type: string): number {
  const limit = bucket.file_size_limit ?? videoMaxBytes
  return (bucket.id === 'posts' || bucket.id === 'messages') && !type.startsWith('video/')
    ? Math.min(limit, fileMaxBytes)
    : limit
}
