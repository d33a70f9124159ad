import { Badge, Button, Group, Text, Title } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { verificationTexts } from '@ovation/contract/texts/verification'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { Application } from '../../domain/verification/latest-application-query.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { formatExact } from '../../lib/format/format-date.ts'
import classes from './verification-screen.module.css'

const ComposerDialog = lazy(() => import('../../domain/composer/composer-dialog.tsx'))

const texts = verificationTexts.status
const colors = { pending: 'yellow', approved: 'teal', rejected: 'crimson' }

/** VER-04, VER-11..VER-13. */
export function ApplicationStatus({ application, onAgain }: { application: Application; onAgain: () => void }) {
  const { status, rejection_reason, submitted_at, reviewed_at } = application
  const statusTexts = texts[status]
  return (
    <section className={`surface ${classes.card}`} aria-labelledby="application-status">
      <Group justify="space-between" mb="md">
        <Text id="application-status" component="h2" size="sm" c="dimmed" fw={550}>
          {texts.heading}
        </Text>
        <Badge variant="light" color={colors[status]} className={classes.badge} data-status={status}>
          {statusTexts.label}
        </Badge>
      </Group>
      <Title order={3} className={classes.headline}>
        {statusTexts.title}
      </Title>
      <Text c="dimmed" mt={4}>
        {statusTexts.message}
      </Text>
      {status === 'rejected' && (
        <blockquote className={classes.reason}>
          <Text size="sm" fw={550}>
            {texts.reason}
          </Text>
          <Text inherit dir="auto">
            {rejection_reason}
          </Text>
        </blockquote>
      )}
      <dl className={classes.dates}>
        <dt>{texts.submittedAt}</dt>
        <dd>
          <time dateTime={submitted_at}>{formatExact(submitted_at)}</time>
        </dd>
        {reviewed_at && (
          <>
            <dt>{texts.reviewedAt}</dt>
            <dd>
              <time dateTime={reviewed_at}>{formatExact(reviewed_at)}</time>
            </dd>
          </>
        )}
      </dl>
      {status === 'pending' && <WhileWaiting />}
      {status === 'rejected' && <Button onClick={onAgain}>{texts.rejected.again}</Button>}
      {status === 'approved' && (
        <Group>
          <Button component={Link} to={paths.creatorOnboarding}>
            {texts.approved.payments}
          </Button>
          <Button component={Link} to={paths.dashboard} variant="default">
            {texts.approved.dashboard}
          </Button>
        </Group>
      )}
    </section>
  )
}

/** The creator builds the page, plans, and drafts before the decision (LOOP-08). */
function WhileWaiting() {
  const viewer = useViewer()
  const [composing, setComposing] = useState(false)
  const { title, message, page, payouts, plans, draft } = texts.waiting
  return (
    <section className={classes.waiting} aria-labelledby="while-waiting">
      <Title id="while-waiting" order={4}>
        {title}
      </Title>
      <Text c="dimmed" mt={4} mb="md">
        {message}
      </Text>
      <Group gap="xs">
        <Button component={Link} to={paths.ownProfile}>
          {page}
        </Button>
        <Button component={Link} to={paths.creatorOnboarding} variant="default">
          {payouts}
        </Button>
        <Button component={Link} to={paths.subscriptionProducts} variant="default">
          {plans}
        </Button>
        <Button variant="default" onClick={() => setComposing(true)}>
          {draft}
        </Button>
      </Group>
      {composing && viewer && (
        <Suspense>
          <ComposerDialog viewer={viewer} onClose={() => setComposing(false)} />
        </Suspense>
      )}
    </section>
  )
}
