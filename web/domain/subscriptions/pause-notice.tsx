import { Alert, Button, Text } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { pauseTexts } from '@ovation/contract/texts/pauses'
import { Link } from 'react-router'
import { formatDate } from '../../lib/format/format-date.ts'
import type { BillingPause } from './pause-queries.ts'

const { plans } = pauseTexts

/** Why no plan can be chosen now: the creator has paused billing (OFFER-09), or the viewer their own subscription (OFFER-10). */
export function PauseNotice({ billing }: { billing: BillingPause | null }) {
  if (billing)
    return (
      <Alert color="gray" title={plans.title} mb="lg">
        {plans.visitor(formatDate(billing.resumes_at))}
      </Alert>
    )
  return (
    <Alert color="yellow" mb="lg">
      <Text size="sm" mb="sm">
        {plans.ownPaused}
      </Text>
      <Button component={Link} to={paths.subscriptions} variant="default" size="sm">
        {plans.manage}
      </Button>
    </Alert>
  )
}
