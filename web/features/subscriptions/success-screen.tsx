import { Button, Loader } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { commonTexts } from '@ovation/contract/texts/common'
import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { IconClockHour4, IconReceiptRefund } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'
import { type ReturnedPayment, refundWords } from '../../domain/payments/refund-words.ts'
import { useVerification } from '../../domain/payments/use-verification.ts'
import { subscriptionsKey } from '../../domain/subscriptions/plan-queries.ts'
import { MessageState } from '../../ui/message-state.tsx'
import { Page } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.ts'
import { Subscribed } from './subscribed.tsx'

const { success } = subscriptionTexts
/** SUB-12 */
const verifiedMs = 5_000

/** The response of `verify-subscription` (API-FN-01, DATA-19). */
type Verification = {
  hasActiveSubscription: boolean
  subscription: {
    tier?: { name: string } | null
    creator?: { id: string; username: string; display_name: string | null } | null
  } | null
  /** Whether a checkout with this creator is open whose payment may still arrive. */
  isAwaited: boolean
  /** The refund of the latest payment. */
  refund: ReturnedPayment | null
}

/** SUB-07..SUB-13. The screen grants nothing: it polls until the payment has been recorded, and gives up after a while. */
export function SubscriptionSuccessScreen() {
  const creatorId = useSearchParams()[0].get('creator_id') ?? ''
  return (
    <Page title={success.pageTitle} heading={null}>
      <Outcome creatorId={creatorId} />
    </Page>
  )
}

function Outcome({ creatorId }: { creatorId: string }) {
  const queryClient = useQueryClient()
  const { data, error, isChecking, retry } = useVerification<Verification>({
    name: 'verify-subscription',
    body: { creatorId },
    enabled: creatorId !== '',
    isAwaited: ({ hasActiveSubscription, isAwaited }) => !hasActiveSubscription && isAwaited,
  })
  const verified = data?.hasActiveSubscription === true

  useEffect(() => {
    if (!verified) return
    toast.success(success.verified, undefined, verifiedMs)
    // Locked content may be unlocked now.
    for (const queryKey of [subscriptionsKey, ['posts'], ['media-links']])
      void queryClient.invalidateQueries({ queryKey })
  }, [verified, queryClient])

  if (creatorId === '') return <Unverified />
  if (error) return <Unverified retry={retry} />
  // Also when an earlier check failed and this is a retry.
  if (isChecking && !verified)
    return (
      <div role="status">
        <MessageState order={1} icon={<Loader size="sm" />} title={success.checking} message={success.checkingHint} />
      </div>
    )
  if (data?.refund) return <Refunded refund={data.refund} creator={data.subscription?.creator} />
  if (!verified || !data.subscription) return <Unverified retry={retry} />
  return <Subscribed subscription={data.subscription} />
}

/** The fan returns to this page, for example from the history, after the payment was refunded. */
function Refunded({
  refund,
  creator,
}: {
  refund: ReturnedPayment
  creator: NonNullable<Verification['subscription']>['creator']
}) {
  return (
    <div role="status">
      <MessageState
        order={1}
        icon={<IconReceiptRefund size={26} stroke={1.5} />}
        {...refundWords(refund, 'subscription')}
        action={
          <>
            {creator && (
              <Button component={Link} to={paths.profile(creator.username)}>
                {success.viewProfile}
              </Button>
            )}
            <Button component={Link} to={paths.home} variant="default">
              {success.home}
            </Button>
            {refund.hasFailed && (
              <Button component={Link} to={paths.support} variant="default">
                {success.support}
              </Button>
            )}
          </>
        }
      />
    </div>
  )
}

/** @param retry undefined if there is nothing to check. */
function Unverified({ retry }: { retry?: () => void }) {
  return (
    <div role="alert">
      <MessageState
        order={1}
        icon={<IconClockHour4 size={26} stroke={1.5} />}
        title={success.unverifiedTitle}
        message={success.unverified}
        action={
          <>
            {retry ? (
              <Button onClick={retry}>{commonTexts.retry}</Button>
            ) : (
              <Button component={Link} to={paths.home}>
                {success.home}
              </Button>
            )}
            <Button component={Link} to={paths.support} variant="default">
              {success.support}
            </Button>
          </>
        }
      />
    </div>
  )
}
