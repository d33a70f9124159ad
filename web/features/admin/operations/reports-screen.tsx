import { Anchor, Badge, Button, Group, Spoiler, Text } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { operationsTexts } from '@ovation/contract/texts/operations'
import { safetyTexts } from '@ovation/contract/texts/safety'
import { IconFlag } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { errorMessageOf } from '../../../lib/api/error-message-of.ts'
import { supabase } from '../../../lib/api/supabase.ts'
import { Ago } from '../../../ui/ago.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { toast } from '../../../ui/toast.ts'
import { AdminList } from '../admin-list.tsx'
import { SecondFactorGate } from '../second-factor-gate.tsx'
import { AdminPage } from './admin-page.tsx'
import { Line } from './line.tsx'
import lineClasses from './lines.module.css'
import classes from './operations.module.css'
import { type QueuedReport, reportsKey, reportsQuery } from './report-queries.ts'
import { ReportThumbnail, useThumbnails } from './report-thumbnail.tsx'
import { ReportedMedia } from './reported-media.tsx'

const ReasonDialog = lazy(() => import('../../../ui/reason-dialog.tsx'))
const SuspendDialog = lazy(() =>
  import('../../../domain/suspension/suspension-dialog.tsx').then((module) => ({ default: module.SuspendDialog })),
)

const texts = operationsTexts.reports
/** The height of a collapsed quote, in pixels: ten lines. */
const quoteHeight = 248

type Opened = { dialog: 'takeDown' | 'suspend'; report: QueuedReport }

/** Users' reports, and the admins' decisions (D43, POST-54, POST-58). */
export function ReportsScreen() {
  return (
    <SecondFactorGate>
      <Reports />
    </SecondFactorGate>
  )
}

function Reports() {
  const [settled, setSettled] = useState(false)
  const [opened, setOpened] = useState<Opened | null>(null)
  const queryClient = useQueryClient()
  const query = useInfiniteQuery(reportsQuery(settled))
  const reports = query.data?.pages.flat()
  const thumbnailOf = useThumbnails(reports ?? [])
  const again = () => void queryClient.invalidateQueries({ queryKey: reportsKey })
  const close = () => setOpened(null)

  return (
    <AdminPage title={texts.title}>
      <Segments
        aria-label={texts.which}
        className={classes.choice}
        value={settled ? 'settled' : 'open'}
        onChange={(value) => setSettled(value === 'settled')}
        data={[
          { value: 'open', label: texts.open },
          { value: 'settled', label: texts.settled },
        ]}
      />
      <AdminList
        query={query}
        rows={reports}
        label={texts.list}
        empty={settled ? texts.noneSettled : texts.noneOpen}
        icon={IconFlag}
        failure={{ title: texts.loadFailed, message: errorMessageOf(query.error) }}
      >
        {(report) => (
          <ReportRow
            key={report.id}
            report={report}
            thumbnail={thumbnailOf(report)}
            onOpen={(dialog) => setOpened({ dialog, report })}
            onSettled={again}
          />
        )}
      </AdminList>
      {opened?.dialog === 'takeDown' && <TakeDownDialog report={opened.report} onDone={again} onClose={close} />}
      {opened?.dialog === 'suspend' && opened.report.reported_id && (
        <Suspense>
          <SuspendDialog
            profileId={opened.report.reported_id}
            name={nameIn(opened.report)}
            onDone={again}
            onClose={close}
          />
        </Suspense>
      )}
    </AdminPage>
  )
}

const nameIn = ({ reported_name, reported_username }: QueuedReport): string =>
  reported_name || reported_username || texts.somebody

const kindOf = ({ target_type }: QueuedReport) => target_type as keyof typeof texts.kinds

function aboutOf(report: QueuedReport): string {
  const kind = kindOf(report)
  return kind === 'profile' ? texts.aboutProfile(nameIn(report)) : texts.about(texts.kinds[kind], nameIn(report))
}

type RowProps = {
  report: QueuedReport
  thumbnail: string | undefined
  onOpen: (dialog: Opened['dialog']) => void
  onSettled: () => void
}

function ReportRow({ report, thumbnail, onOpen, onSettled }: RowProps) {
  const { reason, details, excerpt, status, resolution, created_at, reporter_username, reported_username, post_id } =
    report
  const about = aboutOf(report)
  const settle = useMutation({
    // Settles all open reports about the same content at once.
    mutationFn: async (outcome: 'resolved' | 'dismissed') =>
      supabase
        .from('reports')
        .update({ status: outcome })
        .eq('target_type', kindOf(report))
        .eq('target_id', report.target_id)
        .eq('status', 'open')
        .throwOnError(),
    onSuccess: (_data, outcome) => toast.success(outcome === 'dismissed' ? texts.dismissed : texts.resolved),
    onError: (error) => toast.error(errorMessageOf(error), texts.failed),
    onSettled,
  })
  const canTakeDown = report.still_there && report.target_type !== 'profile'
  const isLocked = report.target_type === 'message' && report.still_there && excerpt === null

  return (
    <Line
      label={texts.show(about)}
      head={
        <>
          <ReportThumbnail src={thumbnail} about={about} />
          <h2 className={lineClasses.title}>{about}</h2>
          <Badge variant="light" color="crimson" className={classes.state} data-state="open">
            {safetyTexts.reasons[reason as keyof typeof safetyTexts.reasons]}
          </Badge>
          {report.reported_suspended && <Badge variant="default">{texts.suspended}</Badge>}
          {status !== 'open' && <Badge variant="default">{texts.states[status as keyof typeof texts.states]}</Badge>}
          <span className={lineClasses.text} dir="auto">
            {excerpt}
          </span>
        </>
      }
      end={
        <>
          <span>
            {texts.reportedBy(reporter_username)}
            {report.open_on_target > 1 && ` ${texts.others(report.open_on_target - 1)}`}
          </span>
          <Ago at={created_at} />
        </>
      }
    >
      {!report.still_there && <Text c="dimmed">{report.target_type === 'product' ? texts.takenDown : texts.gone}</Text>}
      {excerpt && (
        <Spoiler maxHeight={quoteHeight} showLabel={texts.more} hideLabel={texts.less}>
          <blockquote className={classes.quote} dir="auto">
            {excerpt}
          </blockquote>
        </Spoiler>
      )}
      {isLocked && <Text c="dimmed">{texts.locked}</Text>}
      <ReportedMedia paths={report.media_urls} types={report.media_types} />
      {details && <Text dir="auto">{details}</Text>}
      {resolution && <Text c="dimmed">{texts.decided(resolution)}</Text>}
      <div className={classes.links}>
        {post_id && (
          <Anchor component={Link} to={paths.post(post_id)} size="sm">
            {texts.openPost}
          </Anchor>
        )}
        {report.target_type === 'product' && report.still_there && (
          <Anchor component={Link} to={paths.product(report.target_id)} size="sm">
            {texts.openProduct}
          </Anchor>
        )}
        {report.target_type === 'story' && report.still_there && reported_username && (
          <Anchor component={Link} to={paths.stories(reported_username, `story=${report.target_id}`)} size="sm">
            {texts.openStory}
          </Anchor>
        )}
        {reported_username && (
          <Anchor component={Link} to={paths.profile(reported_username)} size="sm">
            {texts.openProfile}
          </Anchor>
        )}
      </div>
      {status === 'open' && (
        <Group gap="xs">
          <Button
            variant="default"
            loading={settle.isPending && settle.variables === 'dismissed'}
            onClick={() => settle.mutate('dismissed')}
            aria-label={texts.dismissOf(about)}
          >
            {texts.dismiss}
          </Button>
          <Button
            variant="default"
            loading={settle.isPending && settle.variables === 'resolved'}
            onClick={() => settle.mutate('resolved')}
            aria-label={texts.resolveOf(about)}
          >
            {texts.resolve}
          </Button>
          {report.reported_id && !report.reported_suspended && (
            <Button variant="default" onClick={() => onOpen('suspend')} aria-label={texts.suspendOf(nameIn(report))}>
              {texts.suspend}
            </Button>
          )}
          {canTakeDown && (
            <Button variant="default" onClick={() => onOpen('takeDown')} aria-label={texts.takeDownOf(about)}>
              {texts.takeDown}
            </Button>
          )}
        </Group>
      )}
    </Line>
  )
}

function TakeDownDialog({
  report,
  onDone,
  onClose,
}: {
  report: QueuedReport
  onDone: () => void
  onClose: () => void
}) {
  const dialogTexts = operationsTexts.takeDown
  const kind = report.target_type as keyof typeof dialogTexts.title
  return (
    <Suspense>
      <ReasonDialog
        subject={report.id}
        title={dialogTexts.title[kind]}
        message={dialogTexts.message[kind]}
        field={{ label: dialogTexts.reason, hint: dialogTexts.reasonHint, missing: dialogTexts.reasonMissing }}
        confirm={dialogTexts.confirm}
        done={dialogTexts.done[kind]}
        failed={dialogTexts.failed}
        run={async (reason) =>
          supabase.rpc('take_down', { target_type: kind, target_id: report.target_id, reason }).throwOnError()
        }
        onDone={onDone}
        onClose={onClose}
      />
    </Suspense>
  )
}
