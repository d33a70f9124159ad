import { fileMaxBytes, videoMaxBytes } from '@ovation/contract/limits'
import type { BucketLimits } from './bucket-queries.ts'

/** The size limit of one object. In `posts` and `messages` only a video may use the bucket's full limit (POST-25). */
export function maxObjectBytes(bucket: BucketLimits, type: string): number {
  const limit = bucket.file_size_limit ?? videoMaxBytes
  return (bucket.id === 'posts' || bucket.id === 'messages') && !type.startsWith('video/')
    ? Math.min(limit, fileMaxBytes)
    : limit
}
