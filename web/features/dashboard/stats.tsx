import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { useQuery } from '@tanstack/react-query'
import { formatCents, formatCount } from '../../lib/format/format-number.ts'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Stat, StatList } from '../../ui/stat.tsx'
import { growthQuery, statsQuery } from './overview-queries.ts'

const texts = dashboardTexts.stats

/** The numbers of `get_creator_stats` and their trends, all from recorded data (DASH-11, DASH-13..DASH-15). */
export function Stats({ profileId }: { profileId: string }) {
  const stats = useQuery(statsQuery(profileId))
  // If the trends can't be read, the numbers show without them.
  const { data: growth } = useQuery(growthQuery(profileId))
  if (stats.isError && !stats.data) return <LoadFailed title={texts.loadFailed} of={stats} />
  const data = stats.data
  return (
    <StatList aria-label={texts.label} aria-busy={!data}>
      <Stat label={texts.totalEarnings} value={data && formatCents(data.total_earnings)} hint={texts.afterFee} />
      <Stat
        label={texts.monthlyEarnings}
        value={data && formatCents(data.monthly_earnings)}
        hint={growth ? texts.lastMonth(formatCents(Number(growth.last_month))) : texts.afterFee}
      />
      <Stat
        label={texts.subscribers}
        value={data && formatCount(data.total_subscribers)}
        hint={growthHint(growth?.subscriber_growth)}
      />
      <Stat label={texts.newSubscribers} value={data && formatCount(data.new_subscribers_this_week)} />
      <Stat
        label={texts.views}
        value={growth && formatCount(Number(growth.views))}
        hint={growthHint(growth?.view_growth) ?? texts.viewsHint}
      />
      <Stat label={texts.profileViews} value={data && formatCount(data.profile_views)} />
      <Stat label={texts.likes} value={data && formatCount(data.total_likes)} />
      <Stat label={texts.messages} value={data && formatCount(data.total_messages)} />
    </StatList>
  )
}

/** Undefined if there was no earlier value to compare with. */
const growthHint = (percent: number | null | undefined): string | undefined =>
  percent == null ? undefined : texts.growth(`${percent > 0 ? '+' : ''}${formatCount(percent)}%`)
