import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { onboardingTexts } from '@ovation/contract/texts/onboarding'
import { settingsTexts } from '@ovation/contract/texts/settings'
import { Link } from 'react-router'
import { setupStateOf } from '../../domain/payouts/payment-status-query.ts'
import { StatusCard } from '../../domain/payouts/status-card.tsx'
import { usePaymentStatus } from '../../domain/payouts/use-payment-status.ts'
import { Products } from '../../domain/plans/creator-plans.tsx'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import classes from './settings.module.css'

const texts = settingsTexts.stripe

/** The payout account's status and the plans (SET-03, SET-05, D1). */
export default function StripeTab({ viewer }: { viewer: Viewer }) {
  const { status, refresh } = usePaymentStatus()
  const state = status.data && setupStateOf(status.data)
  return (
    <div className={classes.sections}>
      <p className={classes.sectionMessage}>{texts.message}</p>
      <div>
        {status.data && state ? (
          <StatusCard
            status={status.data}
            state={state}
            onRefresh={() => void refresh()}
            refreshing={status.isFetching}
          />
        ) : status.isError ? (
          <LoadFailed title={onboardingTexts.checkFailed(errorMessageOf(status.error))} message={null} of={status} />
        ) : (
          <ListSkeleton rows={1} shape="card" />
        )}
        {/* Not filled: the plans below have the primary button, which leads to a missing step (LOOP-28). */}
        <Button component={Link} to={paths.creatorOnboarding} variant="default" mt="md">
          {texts.open}
        </Button>
      </div>
      <h2 className={classes.heading}>{texts.products}</h2>
      <div className={classes.products}>
        <Products viewer={viewer} />
      </div>
    </div>
  )
}
