import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { pauseTexts } from '@ovation/contract/texts/pauses'
import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { addressOf, nameOf } from '../../lib/auth/viewer.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { StripePageButton } from '../payments/stripe-page-button.tsx'
import type { SubscriptionState } from './describe-subscription.ts'
import classes from './my-subscriptions.module.css'
import { closesAt, type MySubscription } from './my-subscriptions.ts'
import { PauseInstead } from './pause-instead.tsx'
import { useManageSubscription } from './use-manage-subscription.ts'

const EndPause = lazy(async () => ({ default: (await import('./end-pause.tsx')).EndPause }))

const { mine } = subscriptionTexts
/** The next step stands out in its row, but no row of a list has the primary button (LOOP-28). */
const rowAction = 'light'

/** The actions for each state: cancel, resume, replace a failed card, or choose a plan again (SUB-05). */
export function SubscriptionActions({
  subscription,
  state,
}: {
  subscription: MySubscription
  state: SubscriptionState
}) {
  const [asking, setAsking] = useState(false)
  const keptFocus = useKeptFocus()
  const manage = useManageSubscription(() => setAsking(false))
  const { id, creator, current_period_end: end } = subscription
  const { confirmation } = subscription
  const needsCard = state === 'past_due' || state === 'paused'
  const failed = needsCard || state === 'confirm'
  const closed = failed && !(closesAt(subscription.access_until) > Date.now())
  const name = nameOf(creator)
  const hasPause = state === 'pausing' || state === 'onPause'
  const renews = state === 'active' || state === 'trial' || hasPause || failed
  const resume = () => manage.mutate({ change: 'resume-subscription', subscriptionId: id, done: mine.resumed })
  return (
    <div {...keptFocus} className={classes.actions}>
      {/* A failed payment has its own action, and there is no room for a third. */}
      {!failed && !hasPause && !confirmation && (
        <Button
          component={Link}
          to={paths.plans(addressOf(creator))}
          variant="subtle"
          color="gray"
          aria-label={mine.plansOf(name)}
        >
          {mine.plans}
        </Button>
      )}
      {/* One button for both, so that the focus returns to it after the dialog. */}
      {(renews || state === 'ending') && (
        <Button
          variant={renews ? 'default' : rowAction}
          onClick={renews ? () => setAsking(true) : resume}
          loading={manage.isPending && manage.variables.change === 'resume-subscription'}
          aria-label={renews ? mine.cancelNamed(name) : mine.resumeNamed(name)}
        >
          {renews ? mine.cancel : mine.resume}
        </Button>
      )}
      {hasPause && (
        <Suspense>
          <EndPause subscription={subscription} hasBegun={state === 'onPause'} />
        </Suspense>
      )}
      {needsCard && (
        <StripePageButton
          variant={rowAction}
          to="create-portal-session"
          label={mine.changeCard}
          named={mine.changeCardNamed(name)}
        />
      )}
      {confirmation && (
        <Button
          component="a"
          variant={rowAction}
          href={confirmation.url}
          target="_blank"
          rel="noreferrer"
          aria-label={mine.confirmNamed(name)}
        >
          {mine.confirm}
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          title={mine.cancelDialog.title}
          message={
            state === 'onPause'
              ? pauseTexts.own.cancelDialog
              : closed
                ? mine.cancelDialog.messageClosed
                : mine.cancelDialog.message(name, end ? formatDate(end) : mine.endOfPeriod)
          }
          confirmLabel={mine.cancelDialog.confirm}
          keepLabel={mine.cancelDialog.keep}
          pending={manage.isPending}
          onConfirm={() => manage.mutate({ change: 'cancel-subscription', subscriptionId: id, done: mine.canceled })}
          onClose={() => setAsking(false)}
        >
          <PauseInstead subscription={subscription} manage={manage} />
        </ConfirmDialog>
      )}
    </div>
  )
}
