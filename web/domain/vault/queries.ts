import { vaultPageSize } from '@ovation/contract/limits'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { vaultKey } from './vault-key.ts'

/** A file in the viewer's vault (VAULT-01). */
export type VaultFile = {
  id: string
  /** In bucket `vault`. */
  path: string
  kind: (typeof kinds)[number]
  mime_type: string
  size_bytes: number
  /** Null for files from before the vault. */
  name: string | null
  /** What later uses begin with. */
  alt_text: string | null
  caption: string | null
  width: number | null
  height: number | null
  /** In seconds. */
  duration: number | null
  preview: string | null
  /** Whether it also plays as HLS. */
  stream: boolean
  post_uses: number
  message_uses: number
  story_uses: number
  created_at: string
  /** Purchases of posts and messages with it. */
  sales: number
  /** What those have earned, after fees and refunds. */
  earned_cents: number
}

/** An album of the viewer's vault (VAULT-04). */
export type VaultAlbum = {
  id: string
  name: string
  file_count: number
  /** The file that the viewer has set as cover. */
  cover_id: string | null
  /** In bucket `vault`: of that file, or else of another one; null for an empty album. */
  cover_path: string | null
  cover_kind: (typeof kinds)[number] | null
  cover_preview: string | null
}

/** A post or message with a file (VAULT-05). */
export type VaultUse = {
  id: string
  /** Null for a message. */
  post_id: string | null
  /** Null for a post, and for a message to one fan. */
  mass_message_id: string | null
  story_id: string | null
  title: string | null
  /** In cents; null if free or for subscribers. */
  price: number | null
  /** The recipient of a message to one fan. */
  username: string | null
  display_name: string | null
  used_at: string
}

/** A fan who was sent a file or bought a post with it (VAULT-05). */
export type VaultRecipient = {
  id: string
  profile_id: string
  username: string
  display_name: string | null
  avatar_url: string | null
  updated_at: string
  /** Null for a message. */
  post_id: string | null
  /** In cents; 0 if free. */
  price: number
  is_bought: boolean
  received_at: string
}

/** How one fan got a file (INBOX-04). */
export type ReceivedFile = {
  file_id: string
  /** Null for a message. */
  post_id: string | null
  /** In cents; 0 if free. */
  price: number
  is_bought: boolean
  received_at: string
}

export const kinds = ['image', 'video', 'audio'] as const
export const usages = ['used', 'unused', 'posts', 'messages', 'stories'] as const
export const sorts = ['newest', 'oldest', 'largest', 'earnings'] as const

export type VaultFilter = {
  kind: (typeof kinds)[number] | null
  usage: (typeof usages)[number] | null
  sort: (typeof sorts)[number]
  search: string
  /** The id of an album. */
  album: string | null
}
export const noFilter: VaultFilter = { kind: null, usage: null, sort: 'newest', search: '', album: null }

export const isFiltered = ({ kind, usage, search }: VaultFilter): boolean =>
  kind !== null || usage !== null || search !== ''

/** What a page in this order begins after. */
const keyOf = { newest: 'created_at', oldest: 'created_at', largest: 'size_bytes', earnings: 'earned_cents' } as const

/** The vault, page by page: each begins after the last file of the one before, so that new uploads move nothing. */
export const vaultQuery = ({ kind, usage, sort, search, album }: VaultFilter) =>
  infiniteQueryOptions({
    queryKey: [...vaultKey, 'files', kind, usage, sort, search, album],
    initialPageParam: null as VaultFile | null,
    getNextPageParam: (page: VaultFile[]) => (page.length < vaultPageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam: last }): Promise<VaultFile[]> => {
      const after = last && {
        after_id: last.id,
        after_value: String(last[keyOf[sort]]),
      }
      const asked = {
        ...(kind && { kind }),
        ...(usage && { usage }),
        ...(search && { search }),
        sort,
        page_size: vaultPageSize,
        ...after,
      }
      const { data } = await (album
        ? supabase.rpc('get_vault_album_files', { album, ...asked }, { get: true })
        : supabase.rpc('get_vault_files', asked, { get: true })
      )
        .abortSignal(signal)
        .throwOnError()
      return data as VaultFile[]
    },
  })

/** The viewer's albums, in their order. There are at most 100. */
export const albumsQuery = () =>
  queryOptions({
    queryKey: [...vaultKey, 'albums'],
    queryFn: async ({ signal }): Promise<VaultAlbum[]> => {
      const { data } = await supabase
        .rpc('get_vault_albums', undefined, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data as VaultAlbum[]
    },
  })

/** The space of a creator's files (VAULT-07). */
export type VaultSpace = {
  used_bytes: number
  /** Null for no limit. */
  quota_bytes: number | null
  /** What an admin has set for this creator; 0 for no limit, null for the usual quota. */
  own_quota_gb: number | null
}

/** The space of the viewer's files, or, for admins, of a creator's. @param creatorId profiles.id */
export const spaceQuery = (creatorId?: string) =>
  queryOptions({
    queryKey: [...vaultKey, 'space', creatorId ?? null],
    queryFn: async ({ signal }): Promise<VaultSpace | null> => {
      const { data } = await supabase
        .rpc('get_vault_space', creatorId === undefined ? {} : { profile_id: creatorId }, { get: true })
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data as VaultSpace | null
    },
  })

const listPageSize = 20

/** Where a file is used, newest first. */
export const usesQuery = (fileId: string) =>
  infiniteQueryOptions({
    queryKey: [...vaultKey, 'uses', fileId],
    initialPageParam: null as VaultUse | null,
    getNextPageParam: (page: VaultUse[]) => (page.length < listPageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam: last }): Promise<VaultUse[]> => {
      const after = last && { before: last.used_at, before_id: last.id }
      const { data } = await supabase
        .rpc('get_vault_uses', { file_id: fileId, page_size: listPageSize, ...after }, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data as VaultUse[]
    },
  })

/** Who has received a file, the latest first. */
export const recipientsQuery = (fileId: string) =>
  infiniteQueryOptions({
    queryKey: [...vaultKey, 'recipients', fileId],
    initialPageParam: null as VaultRecipient | null,
    getNextPageParam: (page: VaultRecipient[]) => (page.length < listPageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam: last }): Promise<VaultRecipient[]> => {
      const after = last && { before: last.received_at, before_id: last.id }
      const { data } = await supabase
        .rpc('get_vault_recipients', { file_id: fileId, page_size: listPageSize, ...after }, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data as VaultRecipient[]
    },
  })

/** Those of the files that a fan already got, with how. Read again on each opening, because the viewer may have just sent one. */
export const receivedQuery = (fanId: string, ids: string[]) =>
  queryOptions({
    queryKey: [...vaultKey, 'received', fanId, ids],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<ReceivedFile[]> => {
      const { data } = await supabase
        .rpc('get_vault_history', { fan_id: fanId, file_ids: ids }, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data as ReceivedFile[]
    },
  })

/** What deleting files does (VAULT-06). */
export type VaultRemoval = {
  posts: number
  messages: number
  /** They are deleted. */
  stories: number
  /** Fans who keep what they have bought. */
  buyers: number
  /** Posts with nothing else, which are deleted. */
  emptied_posts: number
  /** Files that are all that a bought post has, and stay. */
  staying_files: number
}

/** A read by POST: the ids of 500 files are too long for an address. */
export const removalQuery = (ids: string[]) =>
  queryOptions({
    queryKey: [...vaultKey, 'removal', ids],
    gcTime: 0,
    queryFn: async ({ signal }): Promise<VaultRemoval> => {
      const { data } = await supabase
        .rpc('get_vault_removal', { file_ids: ids })
        .abortSignal(signal)
        .single()
        .throwOnError()
      return data as VaultRemoval
    },
  })

/** Makes files ready for a post or a message. @returns the path of each in the bucket, in order. */
export async function readyFiles(bucket: 'posts' | 'messages', ids: string[]): Promise<string[]> {
  const { data } = await supabase.rpc('use_vault_files', { file_ids: ids, bucket }).throwOnError()
  return data
}
