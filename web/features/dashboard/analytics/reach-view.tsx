import { Anchor } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { funnelTexts } from '@ovation/contract/texts/funnel'
import { IconArrowLeft, IconMovieOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { pluralize } from '../../../lib/format/format-number.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../../ui/load-failed.tsx'
import type { Column } from './columns.ts'
import classes from './content.module.css'
import { Figure } from './figure.tsx'
import { type MediaReach, type Played, reachQuery } from './funnel-queries.ts'
import type { Plot } from './plot.ts'

const texts = funnelTexts.reach

type Props = {
  profileId: string
  played: Played
  /** The address of the list. */
  back: string
}

/** How far viewers got in each video and voice message of a post or message (STATX-02). */
export default function ReachView({ profileId, played, back }: Props) {
  const query = useQuery(reachQuery(profileId, played))
  return (
    <>
      <Anchor component={Link} to={back} size="sm" className={classes.back}>
        <IconArrowLeft size={16} stroke={1.75} aria-hidden="true" />
        {texts.back}
      </Anchor>
      {played !== 'singles' && played.kind === 'posts' && (
        <Anchor component={Link} to={paths.post(played.id)} size="sm" className={classes.back}>
          {texts.openPost}
        </Anchor>
      )}
      {!query.data ? (
        query.isError ? (
          <LoadFailed order={3} title={texts.loadFailed} of={query} />
        ) : (
          <ListSkeleton rows={2} />
        )
      ) : query.data.length === 0 ? (
        <EmptyState order={3} icon={<IconMovieOff size={26} stroke={1.5} aria-hidden="true" />} {...texts.noFiles} />
      ) : (
        query.data.map((file) => <FileReach key={file.position} file={file} query={query} />)
      )}
    </>
  )
}

type Point = { percent: number; viewers: number; share: number | null }

const columns: readonly Column<Point>[] = [
  {
    name: 'share',
    label: texts.share,
    unit: 'percent',
    over: 'last',
    color: 'var(--accent-text)',
    of: ({ share }) => share,
  },
  { name: 'viewers', label: texts.viewers, unit: 'count', of: ({ viewers }) => viewers },
]

/** Spoken of: a quarter, half, three quarters, and the end without its credits. */
const milestones = [25, 50, 75, 95]

function FileReach({
  file,
  query,
}: {
  file: MediaReach
  query: { isError: boolean; isFetching: boolean; refetch: () => unknown }
}) {
  const began = file.reached[0] ?? 0
  const points = file.reached.map((viewers, step): Point => {
    const share = began > 0 ? Math.round((viewers / began) * 1000) / 10 : null
    return { percent: step * 5, viewers, share }
  })
  const type = file.media_type === 'video' || file.media_type === 'audio' ? file.media_type : undefined
  return (
    <Figure
      title={type ? texts.title(type, file.position) : texts.singles}
      hint={texts.hint}
      query={{ data: points, isError: query.isError, isFetching: query.isFetching, refetch: query.refetch }}
      isEmpty={() => began === 0}
      empty={texts.none}
      failure={texts.loadFailed}
      head={texts.position}
      rowOf={({ percent }) => texts.percent(percent)}
      columns={columns}
      chart={plotOf}
      file={`viewers-${type ?? 'messages'}-${file.position}`}
    >
      {began > 0 && (
        <p className={classes.summary}>
          {texts.summary(
            pluralize(began, texts.viewer),
            points
              .filter(({ percent }) => milestones.includes(percent))
              .map(({ percent, share }) => ({ percent, share: Math.round(share ?? 0) })),
          )}
        </p>
      )}
    </Figure>
  )
}

const plotOf = (points: readonly Point[]): Plot => ({
  kind: 'lines',
  unit: 'percent',
  series: [{ name: 'share', label: texts.share, color: 'var(--accent-text)', isDashed: false, isBelow: false }],
  points: points.map(({ percent, share }) => ({ label: texts.percent(percent), share })),
  marks: [],
})
