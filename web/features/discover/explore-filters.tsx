import { NativeSelect } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { categories } from '@ovation/contract/limits'
import { exploreTexts } from '@ovation/contract/texts/discover'
import { useTypedText } from '../../lib/forms/use-typed-text.ts'
import { Chip } from '../../ui/chip.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import classes from './explore-filters.module.css'
import { sorts } from './queries.ts'
import type { ExploreState } from './use-explore-state.ts'

/** EXPL-03..EXPL-05 */
export function ExploreFilters({ state }: { state: ExploreState }) {
  const { filter } = state
  const box = useTypedText(filter.search)
  const search = useDebouncedCallback(state.setSearch, 250)

  return (
    <div className={classes.filters}>
      <div className={classes.row}>
        <SearchField
          label={exploreTexts.search.label}
          placeholder={exploreTexts.search.placeholder}
          className={classes.search}
          value={box.text}
          onChange={(event) => {
            box.type(event.currentTarget.value)
            search(event.currentTarget.value)
          }}
          onBlur={box.rest}
        />
        <NativeSelect
          className={classes.sort}
          aria-label={exploreTexts.sort.label}
          value={filter.sort}
          onChange={(event) => state.setSort(event.currentTarget.value)}
          data={sorts.map((sort) => ({ value: sort, label: exploreTexts.sort[sort] }))}
        />
      </div>
      <div className={classes.categories} role="radiogroup" aria-label={exploreTexts.category}>
        {[null, ...categories].map((category) => (
          <Chip
            key={category}
            type="radio"
            name="category"
            value={category ?? 'all'}
            checked={filter.category === category}
            onChange={() => state.setCategory(category)}
          >
            {category ?? exploreTexts.all}
          </Chip>
        ))}
      </div>
    </div>
  )
}
