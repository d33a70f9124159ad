import { categories } from '@ovation/contract/limits'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { type CreatorFilter, sorts } from './explore-queries.ts'

export type ExploreView = 'grid' | 'list'

/** The filters are in the URL, so that they can be shared and the back button restores them. Unknown values are ignored. */
export function useExploreState() {
  const [parameters, setParameters] = useSearchParams()
  const [search, category, sort, view] = ['q', 'category', 'sort', 'view'].map((name) => parameters.get(name))

  const filter: CreatorFilter = useMemo(
    () => ({
      search: search?.trim() ?? '',
      category: categories.find((known) => known === category) ?? null,
      sort: sorts.find((known) => known === sort) ?? 'popular',
    }),
    [search, category, sort],
  )

  /** Replaces the history entry, so that going back skips single steps. The search box of the top bar sets `q` (app/shell/search-box.tsx). */
  const set = (name: string, value: string | null) =>
    setParameters(
      (current) => {
        if (value) current.set(name, value)
        else current.delete(name)
        return current
      },
      { replace: true, preventScrollReset: true },
    )

  return {
    filter,
    view: (view === 'list' ? 'list' : 'grid') as ExploreView,
    setCategory: (value: string | null) => set('category', value),
    setSort: (value: string | null) => set('sort', value === 'popular' ? null : value),
    setView: (value: ExploreView) => set('view', value === 'grid' ? null : value),
    clear: () => setParameters({}, { replace: true }),
  }
}

export type ExploreState = ReturnType<typeof useExploreState>
