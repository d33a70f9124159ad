import { fileMaxBytes, videoMaxBytes } from '@ovation/contract/limits'
import type { BucketLimits } from './bucket-queries.ts'

/** Other users see the pictures and videos in these buckets, so the files must not reveal where they were taken. */
const shownToOthers = new Set(['posts', 'messages', 'avatars', 'banners', 'covers'])

/** ID images (VER) are kept unchanged: reviewers judge the original. */
export function stripsNotes(bucketId: string): boolean {
  return shownToOthers.has(bucketId)
}

/** The size limit of one object. In `posts` and `messages` only a video may use the bucket's full limit (POST-25). */
export function maxObjectBytes(bucket: BucketLimits, type: string): number {
  const limit = bucket.file_size_limit ?? videoMaxBytes
  return (bucket.id === 'posts' || bucket.id === 'messages') && !type.startsWith('video/')
    ? Math.min(limit, fileMaxBytes)
    : limit
}
