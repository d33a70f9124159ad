import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import type { VaultFile } from '../vault/queries.ts'
import { messagesKey } from './unread.ts'

export type SavedFile = Pick<VaultFile, 'id' | 'path' | 'kind' | 'name' | 'created_at' | 'duration'>

/** One of them, chosen for a message. The link is for its preview. */
export type ChosenFile = { file: Omit<SavedFile, 'path'>; link: string | undefined }

/** A text that the viewer sends again and again, with files and a price if they may sell (INBOX-03). */
export type SavedReply = {
  id: string
  content: string
  /** Null for a free message. */
  price_cents: number | null
  files: SavedFile[]
}

export const savedRepliesQuery = () =>
  queryOptions({
    queryKey: [...messagesKey, 'saved-replies'],
    queryFn: async ({ signal }): Promise<SavedReply[]> => {
      const { data } = await supabase
        .rpc('get_saved_replies', undefined, { get: true })
        .select('id, content, price_cents, files')
        .abortSignal(signal)
        .throwOnError()
      return data as unknown as SavedReply[]
    },
  })

/** The text for one user: `{name}` is the name that they show to everyone. */
export const fillIn = (content: string, name: string): string => content.replaceAll('{name}', name)
