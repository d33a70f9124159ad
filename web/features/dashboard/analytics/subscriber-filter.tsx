import { analyticsTexts } from '@ovation/contract/texts/analytics'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { SelectField } from '../../../ui/select-field.tsx'
import classes from './analytics.module.css'
import type { Period } from './period.ts'
import { type Filter, groupsQuery, type SubscriberGroup } from './queries.ts'

const texts = analyticsTexts.filter
const dimensions = ['plan', 'source', 'link'] as const
const parameter = 'of'

/** The subscribers that the address names; null for all. */
export function useFilter(): Filter | null {
  const [parameters] = useSearchParams()
  const [named, ...rest] = (parameters.get(parameter) ?? '').split(':')
  const dimension = dimensions.find((one) => one === named)
  const value = rest.join(':')
  const isRight =
    dimension === 'source'
      ? value in texts.sources
      : /^[0-9a-f-]{36}$/.test(value) || (dimension === 'link' && value === '')
  return dimension && isRight ? { dimension, value } : null
}

const isSource = (name: string): name is keyof typeof texts.sources => name in texts.sources

/** How a group is called. */
export function groupName({ dimension, name }: Pick<SubscriberGroup, 'dimension' | 'name'>): string {
  if (name === null || name === undefined) return texts.noLink
  return dimension === 'source' && isSource(name) ? texts.sources[name] : name
}

/** Which subscribers are shown: all, or those of one plan, beginning, or link. */
export function SubscriberFilter({ profileId, period }: { profileId: string; period: Period }) {
  const groups = useQuery(groupsQuery(profileId, period))
  const [, setParameters] = useSearchParams()
  const filter = useFilter()
  const options = (groups.data ?? []).flatMap((group) => {
    const value = (group.dimension === 'source' ? group.name : group.id) ?? ''
    const dimension = dimensions.find((one) => one === group.dimension)
    return dimension === undefined
      ? []
      : [{ value: `${dimension}:${value}`, label: groupName(group), group: texts.groups[dimension] }]
  })
  const chosen = filter ? `${filter.dimension}:${filter.value}` : ''
  // One that has nobody in this period stays chosen.
  const isListed = chosen === '' || options.some(({ value }) => value === chosen)
  return (
    <div className={classes.filter}>
      <SelectField
        label={texts.label}
        value={chosen}
        onChange={(next) =>
          setParameters(
            (now) => {
              const changed = new URLSearchParams(now)
              if (next === '') changed.delete(parameter)
              else changed.set(parameter, next)
              return changed
            },
            { replace: true },
          )
        }
        data={[{ value: '', label: texts.all }, ...(isListed ? [] : [{ value: chosen, label: '–' }]), ...options]}
      />
    </div>
  )
}
