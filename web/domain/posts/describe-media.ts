import { postTexts } from '@ovation/contract/texts/posts'
import type { MediaPreview, Post } from './queries.ts'

/** `"2 photos, 1 video · 3 min"`: the files of a locked post or message, with durations as measured by the server. */
export function describeMedia(types: Post['media_types'], previews: readonly MediaPreview[]): string {
  const photos = types.filter((type) => type === 'image').length
  const videos = types.length - photos
  const seconds = previews.reduce((sum, { duration = 0 }) => sum + duration, 0)
  const counts = [photos && postTexts.photos(photos), videos && postTexts.videos(videos)].filter(Boolean).join(', ')
  return seconds > 0 ? `${counts} · ${postTexts.length(seconds)}` : counts
}
