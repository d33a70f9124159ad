import { NativeSelect } from '@mantine/core'
import { categories } from '@ovation/contract/limits'
import { exploreTexts } from '@ovation/contract/texts/discover'
import { Chip } from '../../ui/chip.tsx'
import { Segments } from '../../ui/segments.tsx'
import classes from './explore-filters.module.css'
import { sorts } from './explore-queries.ts'
import type { ExploreState } from './use-explore-state.ts'

/** EXPL-05 */
export function CategoryFilter({ state }: { state: ExploreState }) {
  return (
    <div className={classes.categories} role="radiogroup" aria-label={exploreTexts.category}>
      {[null, ...categories].map((category) => (
        <Chip
          key={category}
          type="radio"
          name="category"
          value={category ?? 'all'}
          checked={state.filter.category === category}
          onChange={() => state.setCategory(category)}
        >
          {category ?? exploreTexts.all}
        </Chip>
      ))}
    </div>
  )
}

/** EXPL-03, EXPL-04. The search box is the one of the top bar (LOOP-10). */
export function ListOptions({ state }: { state: ExploreState }) {
  return (
    <div className={classes.options}>
      <NativeSelect
        className={classes.sort}
        aria-label={exploreTexts.sort.label}
        value={state.filter.sort}
        onChange={(event) => state.setSort(event.currentTarget.value)}
        data={sorts.map((sort) => ({ value: sort, label: exploreTexts.sort[sort] }))}
      />
      <Segments
        aria-label={exploreTexts.view.label}
        value={state.view}
        onChange={state.setView}
        data={[
          { value: 'grid', label: exploreTexts.view.grid },
          { value: 'list', label: exploreTexts.view.list },
        ]}
      />
    </div>
  )
}
