import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { useQuery } from '@tanstack/react-query'
import { formatCents } from '../../lib/format/format-number.ts'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Stat, StatList } from '../../ui/stat.tsx'
import { balanceQuery } from './earnings-queries.ts'

const texts = dashboardTexts.earnings.balance

/** The creator's earnings, balance, and payouts. */
export function Balance({ profileId }: { profileId: string }) {
  const balance = useQuery(balanceQuery(profileId))
  const { data } = balance
  if (balance.isError && !data) return <LoadFailed title={texts.loadFailed} of={balance} />
  return (
    <StatList aria-label={texts.label} aria-busy={!data}>
      <Stat label={texts.earned} value={data && formatCents(data.earned)} hint={dashboardTexts.stats.afterFee} />
      <Stat label={texts.balance} value={data && formatCents(data.balance)} hint={texts.balanceHint} />
      {data?.provider ? (
        <Stat
          label={texts.available}
          value={formatCents(data.provider.availableCents)}
          hint={`${texts.pending}: ${formatCents(data.provider.pendingCents)}`}
        />
      ) : (
        <Stat label={texts.available} value={data && '–'} hint={texts.availableHint} />
      )}
      <Stat label={texts.paidOut} value={data && formatCents(data.paid_out)} />
    </StatList>
  )
}
