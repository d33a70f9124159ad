import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export type ProductStatus = 'draft' | 'published' | 'archived'

/** A product in a list (OFFER-05). */
export type ProductCard = {
  id: string
  title: string
  /** In bucket `covers`. */
  cover_path: string | null
  price_cents: number
  /** What the viewer pays, or the least that they pay. */
  your_price_cents: number
  takes_more: boolean
  /** Null for any number. */
  stock_left: number | null
  file_count: number
  size_bytes: number
  status: ProductStatus
  is_bought: boolean
  /** Null for others than its creator. */
  sold: number | null
  created_at: string
  /** When an admin took it down; null for others than its creator. */
  taken_down_at: string | null
}

/** A file of a product. `path` and `name` are there for its creator and buyers only. */
export type ProductFile = {
  format?: string
  size_bytes: number
  path?: string
  name?: string
  /** A buyer keeps it from an earlier version. */
  is_earlier?: true
}

export type ProductPage = {
  id: string
  title: string
  description: string | null
  cover_path: string | null
  price_cents: number
  your_price_cents: number
  takes_more: boolean
  subscriber_percent_off: number
  stock: number | null
  stock_left: number | null
  status: ProductStatus
  version: number
  version_note: string | null
  version_at: string | null
  sold: number | null
  bought_at: string | null
  is_own: boolean
  files: ProductFile[]
  creator_id: string
  creator_username: string
  creator_name: string | null
  creator_avatar_url: string | null
  creator_updated_at: string
  /** When an admin took it down; null for others than its creator and admins. */
  taken_down_at: string | null
}

export const productsKey = ['products'] as const
const pageSize = 24

/** A creator's products, newest first: all for the creator, otherwise those for sale. */
export const creatorProductsQuery = (creatorId: string) =>
  infiniteQueryOptions({
    queryKey: [...productsKey, 'of', creatorId],
    initialPageParam: null as ProductCard | null,
    getNextPageParam: (page: ProductCard[]) => (page.length < pageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam: last }): Promise<ProductCard[]> => {
      const after = last && { before: last.created_at, before_id: last.id }
      const { data } = await supabase
        .rpc('get_products', { creator_profile_id: creatorId, page_size: pageSize, ...after }, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data as ProductCard[]
    },
  })

/** One product; null for one that the viewer doesn't see. */
export const productQuery = (id: string) =>
  queryOptions({
    queryKey: [...productsKey, id],
    queryFn: async ({ signal }): Promise<ProductPage | null> => {
      const { data } = await supabase
        .rpc('get_product', { product_id: id }, { get: true })
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data as ProductPage | null
    },
  })
