import { messageTexts } from '@ovation/contract/texts/messages'
import { postTexts } from '@ovation/contract/texts/posts'
import type { Message, MessageFileType } from '../../domain/messages/queries.ts'
import type { MediaPreview } from '../../domain/posts/queries.ts'
import { formatLength } from '../../lib/format/format-length.ts'

/**
 * `"2 photos, 1 video (3:20), 1 voice message (0:42)"`: the files of a paid message, with the length of its videos and of its voice messages
 * once the server knows all of them (INBOX-08).
 */
export function describeContents({
  media_types,
  media_previews,
}: Pick<Message, 'media_types' | 'media_previews'>): string {
  const ofType = (type: MessageFileType) => media_previews.filter((_, index) => media_types[index] === type)
  const [photos, videos, voices] = [ofType('image'), ofType('video'), ofType('audio')]
  return [
    photos.length > 0 && postTexts.photos(photos.length),
    videos.length > 0 && postTexts.videos(videos.length) + lengthOf(videos),
    voices.length > 0 && messageTexts.voices(voices.length) + lengthOf(voices),
  ]
    .filter(Boolean)
    .join(', ')
}

function lengthOf(files: MediaPreview[]): string {
  const seconds = files.reduce((sum, { duration }) => sum + (duration ?? Number.NaN), 0)
  return seconds > 0 ? ` (${formatLength(seconds)})` : ''
}
