import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { kinds, sorts, usages, type VaultFilter } from '../../domain/vault/queries.ts'
import { isId } from '../../lib/api/is-id.ts'

/** The filters are in the URL, so that the back button restores them. Unknown values are ignored. */
export function useVaultFilter() {
  const [parameters, setParameters] = useSearchParams()
  const [kind, usage, sort, search, album] = ['type', 'use', 'sort', 'q', 'album'].map((name) => parameters.get(name))
  const filter: VaultFilter = useMemo(
    () => ({
      kind: kinds.find((known) => known === kind) ?? null,
      usage: usages.find((known) => known === usage) ?? null,
      sort: sorts.find((known) => known === sort) ?? 'newest',
      search: search?.trim() ?? '',
      album: album && isId(album) ? album : null,
    }),
    [kind, usage, sort, search, album],
  )
  const change = useCallback(
    (part: Partial<VaultFilter>) =>
      setParameters(
        (current) => {
          const names = { kind: 'type', usage: 'use', sort: 'sort', search: 'q', album: 'album' } as const
          for (const key of Object.keys(part) as (keyof VaultFilter)[]) {
            const value = part[key]
            if (value && value !== 'newest') current.set(names[key], value)
            else current.delete(names[key])
          }
          return current
        },
        { replace: true, preventScrollReset: true },
      ),
    [setParameters],
  )
  /** Not of the album, which is a place rather than a filter. */
  const clear = () => change({ kind: null, usage: null, sort: 'newest', search: '' })
  return { filter, change, clear }
}
