import { Chip, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { categories } from '@ovation/contract/limits'
import { exploreTexts } from '@ovation/contract/texts/discover'
import { IconSearch } from '@tabler/icons-react'
import { useTypedText } from '../../lib/use-typed-text.ts'
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
        <TextInput
          type="search"
          className={classes.search}
          aria-label={exploreTexts.search.label}
          placeholder={exploreTexts.search.placeholder}
          leftSection={<IconSearch size={17} stroke={1.75} aria-hidden="true" />}
          maxLength={100}
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
      <Chip.Group
        value={filter.category ?? 'all'}
        onChange={(value) => state.setCategory(value === 'all' ? null : value)}
      >
        <div className={classes.categories} role="radiogroup" aria-label={exploreTexts.category}>
          <Chip name="category" value="all" size="sm">
            {exploreTexts.all}
          </Chip>
          {categories.map((category) => (
            <Chip key={category} name="category" value={category} size="sm">
              {category}
            </Chip>
          ))}
        </div>
      </Chip.Group>
    </div>
  )
}
