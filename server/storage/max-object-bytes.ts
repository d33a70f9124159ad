import { fileMaxBytes, videoMaxBytes, voiceMaxBytes } from '@ovation/contract/limits'
import type { BucketLimits } from './bucket-queries.ts'

/** The size limit of one object. Among the files of posts and messages only a video may use the bucket's full limit (POST-25). */
export function maxObjectBytes(bucket: BucketLimits, type: string): number {
  const limit = bucket.file_size_limit ?? videoMaxBytes
  if (!['posts', 'messages', 'vault'].includes(bucket.id) || type.startsWith('video/')) return limit
  return Math.min(limit, type.startsWith('audio/') ? voiceMaxBytes : fileMaxBytes)
}
