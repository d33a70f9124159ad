import type { Message, Quote } from '../../domain/messages/queries.ts'

/** As the server shortens it. */
const quoteLength = 140

/** What a reply to this message shows of it. */
export function quoteOf({ sender_id, is_locked, content, media_urls, media_types, media_previews }: Message): Quote {
  if (is_locked) return { sender_id, is_locked }
  const [media_url] = media_urls
  return {
    sender_id,
    is_locked,
    text: content?.slice(0, quoteLength),
    media_url,
    media_type: media_url === undefined ? undefined : media_types[0],
    preview: media_previews[0]?.preview,
  }
}
