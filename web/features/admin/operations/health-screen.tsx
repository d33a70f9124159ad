import { Badge, Button, Text } from '@mantine/core'
import { operationsTexts } from '@ovation/contract/texts/operations'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { errorMessageOf } from '../../../lib/api/error-message-of.ts'
import { callFunction } from '../../../lib/api/functions.ts'
import { formatCount } from '../../../lib/format/format-number.ts'
import { Ago } from '../../../ui/ago.tsx'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../../ui/load-failed.tsx'
import { toast } from '../../../ui/toast.ts'
import { SecondFactorGate } from '../second-factor-gate.tsx'
import { AdminPage } from './admin-page.tsx'
import { FiguresTable } from './figures-table.tsx'
import { type Health, healthKey, healthQuery } from './health-query.ts'
import classes from './operations.module.css'

const texts = operationsTexts.health

/** The health of each component, pending jobs, and failed jobs (GEN-05). */
export function HealthScreen() {
  return (
    <SecondFactorGate>
      <HealthOfParts />
    </SecondFactorGate>
  )
}

function HealthOfParts() {
  const health = useQuery(healthQuery())
  return (
    <AdminPage
      title={texts.title}
      actions={
        <Button variant="default" loading={health.isFetching} onClick={() => void health.refetch()}>
          {texts.refresh}
        </Button>
      }
    >
      {health.data ? (
        <div className={classes.sections}>
          <Parts parts={health.data.parts} />
          <Work jobs={health.data.jobs} />
          <Failures failed={health.data.failedJobs} />
        </div>
      ) : health.isError ? (
        <LoadFailed title={texts.loadFailed} message={errorMessageOf(health.error)} of={health} />
      ) : (
        <ListSkeleton rows={4} />
      )}
    </AdminPage>
  )
}

function Parts({ parts }: Pick<Health, 'parts'>) {
  return (
    <ul className={classes.parts} aria-label={texts.parts}>
      {parts.map(({ part, state, tookMs, seen }) => (
        <li key={part} className={`surface ${classes.row}`}>
          <div className={classes.head}>
            <h2>{texts.names[part]}</h2>
            <Badge
              variant="light"
              color={state === 'ok' ? 'teal' : 'crimson'}
              className={classes.state}
              data-state={state}
            >
              {texts.states[state]}
            </Badge>
          </div>
          <Text size="sm">{seen}</Text>
          <Text size="sm" c="dimmed">
            {texts.took(formatCount(tookMs))}
          </Text>
        </li>
      ))}
    </ul>
  )
}

const columns = [
  ['created', texts.waiting],
  ['active', texts.running],
  ['retry', texts.again],
  ['failed', texts.failed],
] as const

function Work({ jobs }: Pick<Health, 'jobs'>) {
  const queues = [...new Set(jobs.map(({ queue }) => queue))].toSorted()
  const countOf = (queue: string, state: string) =>
    jobs.find((job) => job.queue === queue && job.state === state)?.count ?? 0
  return (
    <section aria-labelledby="work">
      <h2 id="work" className={classes.heading}>
        {texts.work}
      </h2>
      {queues.length === 0 ? (
        <Text>{texts.noWork}</Text>
      ) : (
        <FiguresTable
          caption={texts.work}
          head={[texts.queue, ...columns.map(([, name]) => name)]}
          rows={queues.map((queue) => [queue, ...columns.map(([state]) => formatCount(countOf(queue, state)))])}
        />
      )}
    </section>
  )
}

function Failures({ failed }: { failed: Health['failedJobs'] }) {
  return (
    <section aria-labelledby="failures">
      <h2 id="failures" className={classes.heading}>
        {texts.failures}
      </h2>
      {failed.length === 0 ? (
        <Text>{texts.noFailures}</Text>
      ) : (
        <ul className={classes.list}>
          {failed.map((job) => (
            <Failure key={job.id} job={job} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Failure({ job: { id, queue, failedAt, retries, reason } }: { job: Health['failedJobs'][number] }) {
  const queryClient = useQueryClient()
  const retry = useMutation({
    mutationFn: () => callFunction('retry-job', { jobId: id }),
    onSuccess: () => toast.success(texts.retried(queue)),
    onError: (error) => toast.error(errorMessageOf(error), texts.retryFailed),
    onSettled: () => queryClient.invalidateQueries({ queryKey: healthKey }),
  })
  return (
    <li className={`surface ${classes.row}`}>
      <div className={classes.failure}>
        <div className={classes.head}>
          <h3>{queue}</h3>
          <Text size="sm" c="dimmed">
            <Ago at={failedAt} /> · {texts.retries(retries)}
          </Text>
        </div>
        <Button
          variant="default"
          className={classes.push ?? ''}
          loading={retry.isPending}
          onClick={() => retry.mutate()}
          aria-label={texts.retryOf(queue)}
        >
          {texts.retry}
        </Button>
      </div>
      <Text size="sm" className={classes.mono ?? ''}>
        {reason ?? texts.unknownReason}
      </Text>
    </li>
  )
}
