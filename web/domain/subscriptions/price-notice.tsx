import { Alert, Button, Text } from '@mantine/core'
import type { Interval } from '@ovation/contract/limits'
import { priceLockTexts } from '@ovation/contract/texts/price-lock'
import { nameOf } from '../../lib/auth/viewer.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { formatPeriod } from '../../lib/format/format-period.ts'
import type { MySubscription } from './my-subscriptions.ts'
import { useManageSubscription } from './use-manage-subscription.ts'

const texts = priceLockTexts.notice

/** Both prices of a subscription whose creator has changed its price, and leaving with one press (OFFER-08). */
export function PriceNotice({ subscription, interval }: { subscription: MySubscription; interval: Interval }) {
  const { id, creator, price_cents, interval_count, moves, cancel_at_period_end } = subscription
  const manage = useManageSubscription()
  const [move] = moves
  if (!move?.moves_at || cancel_at_period_end) return null
  const perPeriod = (cents: number) => `${formatCents(cents)} / ${formatPeriod(interval, interval_count)}`
  const [from, to] = [perPeriod(price_cents), perPeriod(move.to_cents)]
  if (move.to_cents < price_cents)
    return (
      <Alert color="gray" mt="sm">
        {texts.lower(from, to)}
      </Alert>
    )
  return (
    <Alert color="yellow" title={texts.title} mt="sm">
      <Text size="sm" mb="sm">
        {texts.higher(from, to, formatDate(move.moves_at))}
      </Text>
      <Button
        variant="default"
        size="sm"
        loading={manage.isPending}
        onClick={() => manage.mutate({ change: 'cancel-subscription', subscriptionId: id, done: texts.left })}
        aria-label={texts.leaveNamed(nameOf(creator))}
      >
        {texts.leave}
      </Button>
    </Alert>
  )
}
