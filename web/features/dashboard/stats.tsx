import { Skeleton } from '@mantine/core'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { useQuery } from '@tanstack/react-query'
import { formatCount, formatDollars } from '../../lib/format.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { statsQuery } from './queries.ts'
import classes from './stats.module.css'

const texts = dashboardTexts.stats

/** The numbers of `get_creator_stats`, from recorded data alone (DASH-11, DASH-14, DASH-15). */
export function Stats({ profileId }: { profileId: string }) {
  const stats = useQuery(statsQuery(profileId))
  if (stats.isError && !stats.data)
    return <ErrorState title={texts.loadFailed} onRetry={() => void stats.refetch()} retrying={stats.isFetching} />
  const data = stats.data
  return (
    <dl className={classes.stats} aria-label={texts.label} aria-busy={!data}>
      <Stat label={texts.totalEarnings} value={data && formatDollars(data.total_earnings)} hint={texts.afterFee} />
      <Stat label={texts.monthlyEarnings} value={data && formatDollars(data.monthly_earnings)} hint={texts.afterFee} />
      <Stat label={texts.subscribers} value={data && formatCount(data.total_subscribers)} />
      <Stat label={texts.newSubscribers} value={data && formatCount(data.new_subscribers_this_week)} />
    </dl>
  )
}

function Stat({ label, value, hint }: { label: string; value: string | undefined; hint?: string }) {
  return (
    <div className={`surface ${classes.stat}`}>
      <dt>{label}</dt>
      <dd>
        {value === undefined ? <Skeleton height={30} width="60%" /> : value}
        {hint && <span className={classes.hint}>{hint}</span>}
      </dd>
    </div>
  )
}
