import { Button, Text } from '@mantine/core'
import { operationsTexts } from '@ovation/contract/texts/operations'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { errorMessageOf } from '../../../lib/api/error-message-of.ts'
import { callFunction } from '../../../lib/api/functions.ts'
import { supabase } from '../../../lib/api/supabase.ts'
import { formatDate } from '../../../lib/format/format-date.ts'
import { formatCents, formatCount } from '../../../lib/format/format-number.ts'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../../ui/load-failed.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Stat, StatList } from '../../../ui/stat.tsx'
import { toast } from '../../../ui/toast.ts'
import { SecondFactorGate } from '../second-factor-gate.tsx'
import { AdminPage } from './admin-page.tsx'
import { FiguresTable } from './figures-table.tsx'
import { Margins } from './margins.tsx'
import {
  balancesQuery,
  differencesKey,
  differencesQuery,
  moneyQuery,
  moneySeriesQuery,
  type PaymentDifference,
} from './money-queries.ts'
import classes from './operations.module.css'

const ReasonDialog = lazy(() => import('../../../ui/reason-dialog.tsx'))
const texts = operationsTexts.money
const spans = [7, 30, 90, 365] as const

/** The revenue of all creators, and differences between the ledger and the payment provider (GEN-05, GEN-09). */
export function MoneyScreen() {
  return (
    <SecondFactorGate>
      <Money />
    </SecondFactorGate>
  )
}

function Money() {
  const [days, setDays] = useState<(typeof spans)[number]>(30)
  return (
    <AdminPage title={texts.title}>
      <Segments
        aria-label={texts.span}
        className={classes.choice}
        value={String(days)}
        onChange={(value) => setDays(spans.find((span) => String(span) === value) ?? 30)}
        data={spans.map((span) => ({ value: String(span), label: texts.spans[span] }))}
      />
      <div className={classes.sections}>
        <Figures days={days} />
        <Days days={days} />
        <Margins />
        <Reconciliation />
      </div>
    </AdminPage>
  )
}

function Figures({ days }: { days: number }) {
  const overview = useQuery(moneyQuery(days))
  const balances = useQuery(balancesQuery())
  if (overview.isError && !overview.data) return <LoadFailed title={texts.loadFailed} of={overview} />
  const { data } = overview
  return (
    <StatList aria-label={texts.figures} aria-busy={!data}>
      <Stat
        label={texts.volume}
        value={data && formatCents(data.volume)}
        hint={data && texts.volumeHint(data.payments)}
      />
      <Stat label={texts.fees} value={data && formatCents(data.fees)} hint={texts.feesHint} />
      <Stat label={texts.creators} value={data && formatCents(data.creators)} hint={texts.feesHint} />
      <Stat label={texts.refunds} value={data && formatCents(data.refunds)} />
      <Stat label={texts.referrals} value={data && formatCents(data.referral_costs)} />
      <Stat label={texts.payouts} value={data && formatCents(data.payouts)} />
      <Stat
        label={texts.disputes}
        value={data && formatCount(data.disputes_open)}
        hint={data && texts.disputesHint(formatCents(data.disputed), formatCount(data.disputes_opened))}
      />
      <Stat
        label={texts.owed}
        value={balances.isError ? '–' : balances.data && formatCents(balances.data.owed_to_creators)}
        hint={balances.data && `${texts.kept}: ${formatCents(balances.data.kept_by_platform)}`}
      />
    </StatList>
  )
}

function Days({ days }: { days: number }) {
  const series = useQuery(moneySeriesQuery(days))
  if (series.isError && !series.data) return <LoadFailed title={texts.loadFailed} of={series} />
  if (!series.data) return <ListSkeleton rows={2} />
  const highest = Math.max(...series.data.map(({ volume }) => volume))
  const moved = series.data.filter(({ volume, fees, refunds }) => volume !== 0 || fees !== 0 || refunds !== 0)
  return (
    <section aria-labelledby="days">
      <h2 id="days" className={classes.heading}>
        {texts.chart}
      </h2>
      {moved.length === 0 ? (
        <Text c="dimmed">{texts.noMoney}</Text>
      ) : (
        <>
          {/* The table below says the same. */}
          <div className={`surface ${classes.chart}`} data-dense={days > 90 || undefined} aria-hidden="true">
            {series.data.map(({ day, volume }) => (
              <div
                key={day}
                className={classes.bar}
                data-empty={volume === 0 || undefined}
                style={{ height: `${highest > 0 ? (volume / highest) * 100 : 0}%` }}
                title={`${formatDate(`${day}T12:00`)}: ${formatCents(volume)}`}
              />
            ))}
          </div>
          <FiguresTable
            caption={texts.table}
            head={[texts.day, texts.volume, texts.fees, texts.refunds]}
            rows={moved
              .toReversed()
              .map(({ day, volume, fees, refunds }) => [
                formatDate(`${day}T12:00`),
                formatCents(volume),
                formatCents(fees),
                formatCents(refunds),
              ])}
          />
        </>
      )}
    </section>
  )
}

function Reconciliation() {
  const queryClient = useQueryClient()
  const differences = useQuery(differencesQuery())
  const [settling, setSettling] = useState<PaymentDifference | null>(null)
  const again = () => void queryClient.invalidateQueries({ queryKey: differencesKey })
  const comparison = useMutation({
    mutationFn: () => callFunction<{ charges: number; differences: unknown[] }>('reconcile-payments'),
    onSuccess: ({ charges, differences: found }) => toast.success(texts.reconciled(charges, found.length)),
    onError: (error) => toast.error(errorMessageOf(error), texts.reconcileFailed),
    onSettled: () => {
      again()
      void queryClient.invalidateQueries({ queryKey: ['money'] })
    },
  })
  return (
    <section aria-labelledby="reconciliation">
      <div className={classes.head}>
        <h2 id="reconciliation">{texts.reconciliation}</h2>
        <Button
          variant="default"
          className={classes.push ?? ''}
          loading={comparison.isPending}
          onClick={() => comparison.mutate()}
        >
          {texts.reconcile}
        </Button>
      </div>
      <Text size="sm" c="dimmed" mt="xs" mb="md">
        {texts.reconciliationHint}
      </Text>
      {differences.isError && !differences.data ? (
        <LoadFailed title={texts.differencesFailed} of={differences} />
      ) : !differences.data ? (
        <ListSkeleton rows={2} />
      ) : differences.data.length === 0 ? (
        <Text>{texts.noDifferences}</Text>
      ) : (
        <ul className={classes.list} aria-label={texts.differences}>
          {differences.data.map((difference) => (
            <li key={difference.id} className={`surface ${classes.row}`}>
              <div className={classes.head}>
                <h3>{texts.kinds[difference.kind] ?? difference.kind}</h3>
                <Button
                  variant="default"
                  className={classes.push ?? ''}
                  aria-label={texts.settleOf(difference.cause)}
                  onClick={() => setSettling(difference)}
                >
                  {texts.settle}
                </Button>
              </div>
              <dl className={classes.facts}>
                <div>
                  <dt>{texts.expected}</dt>
                  <dd>{formatCents(difference.expected_cents)}</dd>
                </div>
                <div>
                  <dt>{texts.actual}</dt>
                  <dd>{formatCents(difference.actual_cents)}</dd>
                </div>
                <div>
                  <dt>{texts.found}</dt>
                  <dd>{formatDate(difference.found_at)}</dd>
                </div>
                <div>
                  <dd className={classes.mono}>{difference.cause}</dd>
                </div>
              </dl>
            </li>
          ))}
        </ul>
      )}
      {settling && (
        <Suspense>
          <ReasonDialog
            subject={settling.id}
            title={texts.settleTitle}
            message={texts.settleMessage}
            field={{ label: texts.settleNote, missing: texts.settleNoteMissing }}
            confirm={texts.settle}
            done={texts.settled}
            failed={texts.settleFailed}
            run={async (note) =>
              supabase.rpc('settle_payment_difference', { difference_id: settling.id, note }).throwOnError()
            }
            onDone={again}
            onClose={() => setSettling(null)}
          />
        </Suspense>
      )}
    </section>
  )
}
