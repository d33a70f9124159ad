import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { kinds, type LibraryFilter } from './queries.ts'

/** The filter is in the URL, so that the back button restores it. Unknown types are ignored. */
export function useLibraryFilter() {
  const [parameters, setParameters] = useSearchParams()
  const [kind, search] = [parameters.get('type'), parameters.get('q')?.trim() ?? '']
  const filter: LibraryFilter = useMemo(
    () => ({ kind: kinds.find((known) => known === kind) ?? null, search }),
    [kind, search],
  )
  const change = (part: Partial<LibraryFilter>) => {
    const next = { ...filter, ...part }
    setParameters(
      { ...(next.kind && { type: next.kind }), ...(next.search && { q: next.search }) },
      { replace: true, preventScrollReset: true },
    )
  }
  return { filter, change }
}
