import { paths } from '@ovation/contract/paths'
import { searchTexts } from '@ovation/contract/texts/discover'
import { IconChevronRight, IconHash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatCount } from '../../lib/format/format-number.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import classes from './found-tags.module.css'
import { NothingFound } from './nothing-found.tsx'
import { tagSearchQuery } from './search-queries.ts'

/** The tags that a search found, each with its creators in Explore (LOOP-10). */
export default function FoundTags({ query }: { query: string }) {
  const tags = useQuery(tagSearchQuery(query))
  if (tags.isPending) return <ListSkeleton rows={2} />
  if (tags.isError) return <LoadFailed title={searchTexts.loadFailed} of={tags} />
  if (tags.data.length === 0) return <NothingFound title={searchTexts.noTags(query)} />
  return (
    <ul className={classes.tags}>
      {tags.data.map(({ category, creators }) => (
        <li key={category}>
          <Link to={paths.exploreCategory(category)} className={`surface ${classes.tag}`}>
            <IconHash size={22} stroke={1.6} aria-hidden="true" />
            <span className={classes.name}>{category}</span>
            <span className={classes.count}>{searchTexts.creators(formatCount(creators), creators === 1)}</span>
            <IconChevronRight size={18} stroke={1.6} aria-hidden="true" />
          </Link>
        </li>
      ))}
    </ul>
  )
}
