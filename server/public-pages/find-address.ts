/** What a path of the web app is about. */
export type Address =
  | { readonly kind: 'post'; readonly id: string }
  | { readonly kind: 'product'; readonly id: string }
  | { readonly kind: 'profile'; readonly name: string }

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const itemPath = new RegExp(`^/(post|product)/(${uuid})/*$`, 'i')
/** By username, or by user id (PROF-02). */
const profilePath = new RegExp(`^/profile/(${uuid}|[a-z0-9_-]{1,30})/*$`, 'i')

/** The post, product, or profile at a path. Undefined for any other path, and for names that none can have: they need no lookup. */
export function findAddress(path: string): Address | undefined {
  const [, kind, id] = itemPath.exec(path)?.map((part) => part.toLowerCase()) ?? []
  if (id && (kind === 'post' || kind === 'product')) return { kind, id }
  const name = profilePath.exec(path)?.[1]?.toLowerCase()
  return name ? { kind: 'profile', name } : undefined
}

export const isUserId = (name: string): boolean => name.length === 36
