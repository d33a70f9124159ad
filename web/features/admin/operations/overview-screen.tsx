import { paths } from '@ovation/contract/paths'
import { operationsTexts } from '@ovation/contract/texts/operations'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { errorMessageOf } from '../../../lib/api/error-message-of.ts'
import { formatCents, formatCount } from '../../../lib/format/format-number.ts'
import { LoadFailed } from '../../../ui/load-failed.tsx'
import { Stat, StatList } from '../../../ui/stat.tsx'
import { type AdminQueues, queuesQuery } from '../queues.ts'
import { SecondFactorGate } from '../second-factor-gate.tsx'
import { AdminPage } from './admin-page.tsx'
import { healthQuery } from './health-query.ts'
import lineClasses from './lines.module.css'
import { balancesQuery, moneyQuery } from './money-queries.ts'
import classes from './operations.module.css'
import { overviewQuery } from './overview-query.ts'

const texts = operationsTexts.overview
const moneyTexts = operationsTexts.money
const days = 30

/** People, money, growth, and queues at a glance (LOOP-24). */
export function OverviewScreen() {
  return (
    <SecondFactorGate>
      <AdminPage title={texts.title}>
        <Overview />
      </AdminPage>
    </SecondFactorGate>
  )
}

function Overview() {
  const overview = useQuery(overviewQuery())
  // The same as the rail's, which is updated live.
  const queues = useQuery(queuesQuery())
  const waiting = (name: keyof AdminQueues) => (queues.isError ? null : queues.data?.[name])
  const money = useQuery(moneyQuery(days))
  const before = useQuery(moneyQuery(days, days)).data
  const balances = useQuery(balancesQuery())
  // Once: the Health screen is the one that keeps watching.
  const health = useQuery({ ...healthQuery(), refetchInterval: false })
  if (overview.isError)
    return <LoadFailed title={texts.loadFailed} message={errorMessageOf(overview.error)} of={overview} />
  if (money.isError) return <LoadFailed title={texts.loadFailed} message={errorMessageOf(money.error)} of={money} />
  const [data, revenue] = [overview.data, money.data]
  const inAll = (data?.subscriptions ?? 0) + (data?.subscriptions_ended ?? 0)

  return (
    <div className={classes.sections}>
      <Section title={texts.queues}>
        <Queue to={paths.admin} label={texts.applications} count={waiting('pending_applications')} />
        <Queue to={paths.adminReports} label={texts.reports} count={waiting('open_reports')} />
        <Queue to={paths.adminTab('support')} label={texts.support} count={waiting('open_support_requests')} />
        <Queue to={paths.adminMoney} label={texts.disputes} count={revenue?.disputes_open} />
        <Queue to={paths.adminMoney} label={texts.differences} count={revenue?.differences_open} />
        <Queue
          to={paths.adminHealth}
          label={texts.jobs}
          count={health.isError ? null : health.data?.failedJobs.length}
        />
      </Section>
      <Section title={texts.people}>
        <Stat label={<Link to={paths.adminTab('users')}>{texts.users}</Link>} value={data && formatCount(data.users)} />
        <Stat
          label={texts.usersNew}
          value={data && formatCount(data.users_new)}
          hint={data && texts.before(formatCount(data.users_before))}
        />
        <Stat label={texts.creators} value={data && formatCount(data.creators)} />
      </Section>
      <Section title={texts.money}>
        <Stat
          label={<Link to={paths.adminPayments()}>{moneyTexts.volume}</Link>}
          value={revenue && formatCents(revenue.volume)}
          hint={before && texts.before(formatCents(before.volume))}
        />
        <Stat
          label={moneyTexts.fees}
          value={revenue && formatCents(revenue.fees)}
          hint={before && texts.before(formatCents(before.fees))}
        />
        <Stat
          label={moneyTexts.refunds}
          value={revenue && formatCents(revenue.refunds)}
          hint={before && texts.before(formatCents(before.refunds))}
        />
        <Stat
          label={moneyTexts.owed}
          value={balances.isError ? '–' : balances.data && formatCents(balances.data.owed_to_creators)}
        />
      </Section>
      <Section title={texts.growth}>
        <Stat label={texts.monthly} value={data && formatCents(data.monthly_cents)} hint={texts.monthlyHint} />
        <Stat label={texts.subscriptions} value={data && formatCount(data.subscriptions)} />
        <Stat
          label={texts.subscriptionsNew}
          value={data && formatCount(data.subscriptions_new)}
          hint={data && texts.before(formatCount(data.subscriptions_before))}
        />
        <Stat
          label={texts.ended}
          value={data && formatCount(data.subscriptions_ended)}
          hint={data && texts.churn(`${inAll === 0 ? 0 : Math.round((data.subscriptions_ended / inAll) * 100)}%`)}
        />
      </Section>
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className={classes.heading}>{title}</h2>
      <div className={lineClasses.queues}>
        <StatList aria-label={title}>{children}</StatList>
      </div>
    </section>
  )
}

/** The entries of a queue, linked to it. `null` if they couldn't be counted. */
function Queue({ to, label, count }: { to: string; label: string; count: number | null | undefined }) {
  return (
    <Stat
      label={<Link to={to}>{label}</Link>}
      value={count === null ? '–' : count === undefined ? undefined : formatCount(count)}
    />
  )
}
