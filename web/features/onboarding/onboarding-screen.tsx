import { Alert, Anchor, Button, Group, Loader, Text } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { onboardingTexts as texts } from '@ovation/contract/texts/onboarding'
import { IconIdBadge2 } from '@tabler/icons-react'
import { Link } from 'react-router'
import { type PaymentStatus, setupStateOf } from '../../domain/payouts/payment-status-query.ts'
import { StatusCard } from '../../domain/payouts/status-card.tsx'
import { usePaymentStatus } from '../../domain/payouts/use-payment-status.ts'
import { appConfig } from '../../lib/api/config.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Page } from '../../ui/page.tsx'
import classes from './onboarding-screen.module.css'
import { SetupFailureAlert } from './setup-failure-alert.tsx'
import { SetupSteps } from './setup-steps.tsx'
import { useSetup } from './use-setup.ts'
import { useStripeReturn } from './use-stripe-return.ts'

/** ONB-01..ONB-03: setting up payouts. */
export function OnboardingScreen() {
  const { status, refresh, refreshQuietly } = usePaymentStatus()
  const setup = useSetup()
  const { progress } = useStripeReturn({ refreshQuietly, onFailure: setup.setFailure })
  const busy = progress ?? (setup.doing === 'redirect' ? texts.redirecting : null)

  return (
    <Page title={texts.title} lead={texts.introduction(appConfig().feePercent)} width="wide">
      <ApprovalHint />
      <SetupFailureAlert failure={setup.failure} />
      <div role="status">
        {busy && (
          <Group gap="sm" className={classes.progress}>
            <Loader size="xs" aria-hidden="true" />
            {busy}
          </Group>
        )}
      </div>
      {status.data ? (
        <Content status={status.data} setup={setup} refresh={refresh} refreshing={status.isFetching} />
      ) : status.isError ? (
        <LoadFailed title={texts.checkFailed(errorMessageOf(status.error))} message={null} of={status} />
      ) : (
        <div className={classes.columns}>
          <ListSkeleton rows={2} />
          <ListSkeleton rows={1} shape="card" />
        </div>
      )}
    </Page>
  )
}

type ContentProps = {
  status: PaymentStatus
  setup: ReturnType<typeof useSetup>
  refresh: () => Promise<void>
  refreshing: boolean
}

function Content({ status, setup, refresh, refreshing }: ContentProps) {
  const state = setupStateOf(status)
  return (
    <div className={classes.columns}>
      <div>
        <SetupSteps state={state} setup={setup} />
        {state === 'ready' && <Ready />}
      </div>
      <StatusCard status={status} state={state} onRefresh={() => void refresh()} refreshing={refreshing} />
    </div>
  )
}

function Ready() {
  return (
    <section className={classes.ready}>
      <Text component="h2" className={classes.readyTitle}>
        {texts.ready.title}
      </Text>
      <Text c="dimmed">{texts.ready.message}</Text>
      <Group mt="md">
        <Button component={Link} to={paths.subscriptionProducts}>
          {texts.ready.products}
        </Button>
        <Button component={Link} to={paths.dashboard} variant="default">
          {texts.ready.dashboard}
        </Button>
      </Group>
    </section>
  )
}

/** Anyone can set up payouts, but only approved creators can sell (D25). */
function ApprovalHint() {
  const viewer = useViewer()
  if (!viewer || viewer.mayPublish) return null
  return (
    <Alert role="note" color="gray" variant="light" icon={<IconIdBadge2 size={20} stroke={1.6} />} mb="lg">
      {texts.unapproved.message}{' '}
      <Anchor component={Link} to={paths.creatorVerification} inherit fw={550} underline="always">
        {texts.unapproved.action}
      </Anchor>
    </Alert>
  )
}
