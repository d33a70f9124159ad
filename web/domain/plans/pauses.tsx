import { Button, SegmentedControl, Switch, Text } from '@mantine/core'
import { billingPauseTexts as texts } from '@ovation/contract/texts/billing-pauses'
import { pauseTexts } from '@ovation/contract/texts/pauses'
import { subscriptionProductsTexts } from '@ovation/contract/texts/subscription-products'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { pluralize } from '../../lib/format/format-number.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { failedOf, LoadFailed } from '../../ui/load-failed.tsx'
import { announce, toast } from '../../ui/toast.ts'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { type BillingPause, billingPauseQuery, fansMayPauseQuery } from '../subscriptions/pause-queries.ts'
import classes from './creator-plans.module.css'
import { planSubscribersQuery } from './queries.ts'

const choices = [1, 2, 3].map((count) => ({ value: String(count), label: pauseTexts.months(count) }))
const noticeMs = 7 * 86_400_000

/** A creator's pause of billing, and whether fans may pause (OFFER-09, OFFER-10). */
export function Pauses({ creatorId }: { creatorId: string }) {
  const billing = useQuery(billingPauseQuery(creatorId))
  const mayPause = useQuery(fansMayPauseQuery(creatorId))
  const failed = failedOf(billing, mayPause)
  return (
    <section {...useKeptFocus<HTMLElement>()} aria-labelledby="pauses">
      <h2 id="pauses" className={classes.heading}>
        {texts.heading}
      </h2>
      {failed.length > 0 ? (
        <LoadFailed title={texts.loadFailed} of={failed} />
      ) : billing.data === undefined || mayPause.data === undefined ? (
        <ListSkeleton rows={1} />
      ) : (
        <>
          {billing.data ? (
            <Paused creatorId={creatorId} pause={billing.data} />
          ) : (
            <PauseBilling creatorId={creatorId} />
          )}
          <FansMayPause creatorId={creatorId} may={mayPause.data} />
        </>
      )}
    </section>
  )
}

function PauseBilling({ creatorId }: { creatorId: string }) {
  const queryClient = useQueryClient()
  const subscribers = useQuery(planSubscribersQuery(creatorId))
  const [months, setMonths] = useState('1')
  const [asking, setAsking] = useState(false)
  const labelId = useId()
  const count = [...(subscribers.data?.values() ?? [])].reduce((sum, each) => sum + each, 0)
  const pause = useMutation({
    mutationFn: async () => (await supabase.rpc('pause_billing', { months: Number(months) }).throwOnError()).data,
    onSuccess: async (until) => {
      await queryClient.invalidateQueries({ queryKey: billingPauseQuery(creatorId).queryKey })
      toast.success(texts.paused(formatDate(until)))
      setAsking(false)
    },
    onError: (error) => {
      toast.error(errorMessageOf(error), texts.failed)
      setAsking(false)
    },
  })
  return (
    <>
      <Text c="dimmed" mb="md">
        {texts.introduction}
      </Text>
      <Text size="sm" fw={500} id={labelId}>
        {texts.length}
      </Text>
      <div className={classes.pause}>
        <SegmentedControl data={choices} value={months} onChange={setMonths} aria-labelledby={labelId} />
        <Button variant="default" onClick={() => setAsking(true)}>
          {texts.open}
        </Button>
      </div>
      {asking && (
        <ConfirmDialog
          title={texts.dialog.title}
          message={texts.dialog.message(
            count > 0 ? pluralize(count, subscriptionProductsTexts.subscriber) : texts.none,
            formatDate(inMonths(Number(months)).toISOString()),
          )}
          confirmLabel={texts.dialog.confirm}
          primary
          pending={pause.isPending}
          onConfirm={() => pause.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

/** As PostgreSQL adds months: the last day of a shorter month. */
function inMonths(months: number): Date {
  const now = new Date()
  const then = new Date(now)
  then.setUTCMonth(now.getUTCMonth() + months)
  if (then.getUTCDate() !== now.getUTCDate()) then.setUTCDate(0)
  return then
}

function Paused({ creatorId, pause }: { creatorId: string; pause: BillingPause }) {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const resume = useMutation({
    mutationFn: async () => (await supabase.rpc('resume_billing').throwOnError()).data,
    onSuccess: async (at) => {
      await queryClient.invalidateQueries({ queryKey: billingPauseQuery(creatorId).queryKey })
      toast.success(texts.resumes(formatDate(at)))
      setAsking(false)
    },
    onError: (error) => {
      toast.error(errorMessageOf(error), texts.resumeFailed)
      setAsking(false)
    },
  })
  const noticeAt = Date.parse(pause.resumes_at) - noticeMs
  const isNoticed = noticeAt <= Date.now()
  return (
    <div className={`surface ${classes.row}`}>
      <div className={classes.what}>
        <h3 className={classes.paused}>{texts.paused(formatDate(pause.resumes_at))}</h3>
        <Text size="sm" c="dimmed">
          {texts.until(formatDate(pause.resumes_at))}{' '}
          {isNoticed ? texts.noticed : texts.notice(formatDate(new Date(noticeAt).toISOString()))}
        </Text>
      </div>
      {!isNoticed && (
        <div className={classes.actions}>
          <Button variant="default" size="sm" onClick={() => setAsking(true)}>
            {texts.resume}
          </Button>
        </div>
      )}
      {asking && (
        <ConfirmDialog
          title={texts.resumeDialog.title}
          message={texts.resumeDialog.message(formatDate(new Date(Date.now() + noticeMs).toISOString()))}
          confirmLabel={texts.resumeDialog.confirm}
          primary
          pending={resume.isPending}
          onConfirm={() => resume.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

/** Saved on click. */
function FansMayPause({ creatorId, may }: { creatorId: string; may: boolean }) {
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: async (on: boolean) => {
      await supabase.rpc('set_fans_may_pause', { may: on }).throwOnError()
      return on
    },
    onSuccess: (on) => {
      queryClient.setQueryData(fansMayPauseQuery(creatorId).queryKey, on)
      announce(on ? texts.allow.on : texts.allow.off)
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.allow.failed),
  })
  return (
    <Switch
      label={texts.allow.label}
      description={texts.allow.hint}
      checked={save.isPending ? save.variables : may}
      // Not `disabled`, which would lose the focus.
      aria-disabled={save.isPending}
      onChange={(event) => {
        if (!save.isPending) save.mutate(event.currentTarget.checked)
      }}
      mt="lg"
    />
  )
}
