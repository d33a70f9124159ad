import { vaultPageSize } from '@ovation/contract/limits'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { vaultKey } from './vault-key.ts'

/** A file in the viewer's vault (VAULT-01). */
export type VaultFile = {
  id: string
  /** In bucket `vault`. */
  path: string
  kind: 'image' | 'video'
  mime_type: string
  size_bytes: number
  /** Null for files from before the vault. */
  name: string | null
  width: number | null
  height: number | null
  /** In seconds. */
  duration: number | null
  preview: string | null
  /** Whether it also plays as HLS. */
  stream: boolean
  post_uses: number
  message_uses: number
  created_at: string
}

export const kinds = ['image', 'video'] as const
export const usages = ['used', 'unused', 'posts', 'messages'] as const
export const sorts = ['newest', 'oldest', 'largest'] as const

export type VaultFilter = {
  kind: (typeof kinds)[number] | null
  usage: (typeof usages)[number] | null
  sort: (typeof sorts)[number]
  search: string
}
export const noFilter: VaultFilter = { kind: null, usage: null, sort: 'newest', search: '' }

export const isFiltered = ({ kind, usage, search }: VaultFilter): boolean =>
  kind !== null || usage !== null || search !== ''

/** The vault, page by page: each begins after the last file of the one before, so that new uploads move nothing. */
export const vaultQuery = ({ kind, usage, sort, search }: VaultFilter) =>
  infiniteQueryOptions({
    queryKey: [...vaultKey, 'files', kind, usage, sort, search],
    initialPageParam: null as VaultFile | null,
    getNextPageParam: (page: VaultFile[]) => (page.length < vaultPageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam: last }): Promise<VaultFile[]> => {
      const after = last && {
        after_id: last.id,
        after_value: sort === 'largest' ? String(last.size_bytes) : last.created_at,
      }
      const { data } = await supabase
        .rpc(
          'get_vault_files',
          {
            ...(kind && { kind }),
            ...(usage && { usage }),
            ...(search && { search }),
            sort,
            page_size: vaultPageSize,
            ...after,
          },
          { get: true },
        )
        .abortSignal(signal)
        .throwOnError()
      return data as VaultFile[]
    },
  })

/** Makes files ready for a post or a message. @returns the path of each in the bucket, in order. */
export async function readyFiles(bucket: 'posts' | 'messages', ids: string[]): Promise<string[]> {
  const { data } = await supabase.rpc('use_vault_files', { file_ids: ids, bucket }).throwOnError()
  return data
}
