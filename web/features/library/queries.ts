import { infiniteQueryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export const kinds = ['post', 'message', 'product', 'session'] as const

/** Something that the viewer has bought (OFFER-06). */
export type LibraryItem = {
  kind: (typeof kinds)[number]
  id: string
  title: string | null
  excerpt: string | null
  /** In bucket `covers`. */
  cover_path: string | null
  files: number
  starts_at: string | null
  is_new_version: boolean
  bought_at: string
  /** With `bought_at`, the place in the library. */
  entry_id: string
  creator_username: string
  creator_name: string | null
}

export type LibraryFilter = { kind: (typeof kinds)[number] | null; search: string }
export const wholeLibrary: LibraryFilter = { kind: null, search: '' }

const pageSize = 24

/** The viewer's library, newest first, page by page. */
export const libraryQuery = ({ kind, search }: LibraryFilter) =>
  infiniteQueryOptions({
    queryKey: ['library', kind, search],
    initialPageParam: null as LibraryItem | null,
    getNextPageParam: (page: LibraryItem[]) => (page.length < pageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam: last }): Promise<LibraryItem[]> => {
      const filter = {
        page_size: pageSize,
        ...(kind && { kind }),
        ...(search && { search }),
        ...(last && { before: last.bought_at, before_id: last.entry_id }),
      }
      const { data } = await supabase.rpc('get_library', filter, { get: true }).abortSignal(signal).throwOnError()
      return data as LibraryItem[]
    },
  })
