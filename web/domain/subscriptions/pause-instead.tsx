import { Button, SegmentedControl, Text } from '@mantine/core'
import { pauseTexts } from '@ovation/contract/texts/pauses'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { formatDate } from '../../lib/format/format-date.ts'
import classes from './my-subscriptions.module.css'
import type { MySubscription } from './my-subscriptions.ts'
import { fansMayPauseQuery } from './pause-queries.ts'
import type { useManageSubscription } from './use-manage-subscription.ts'

const { instead, months } = pauseTexts
const choices = [1, 2, 3].map((count) => ({ value: String(count), label: months(count) }))

type Props = { subscription: MySubscription; manage: ReturnType<typeof useManageSubscription> }

/** Offers a fan who is about to cancel a break of 1 to 3 months, where the creator allows it (OFFER-10). */
export function PauseInstead({ subscription, manage }: Props) {
  const { id, status, is_gift, creator, current_period_end: end, billing_paused_until } = subscription
  const [length, setLength] = useState('1')
  const labelId = useId()
  const isBilled = status === 'active' && !is_gift && end !== null && !billing_paused_until
  const mayPause = useQuery({ ...fansMayPauseQuery(creator.id), enabled: isBilled })
  // Canceling waits for nothing, and a question that couldn't be answered is no reason to bother.
  if (!isBilled || !mayPause.data) return null
  return (
    <section className={classes.instead} aria-label={instead.title}>
      <Text fw={600}>{instead.title}</Text>
      <Text size="sm" c="dimmed">
        {instead.message(formatDate(end))}
      </Text>
      <Text size="sm" fw={500} mt="sm" id={labelId}>
        {instead.label}
      </Text>
      <SegmentedControl fullWidth data={choices} value={length} onChange={setLength} aria-labelledby={labelId} mt={4} />
      <Button
        fullWidth
        mt="sm"
        variant="light"
        loading={manage.isPending && manage.variables.change === 'pause-subscription'}
        disabled={manage.isPending}
        onClick={() =>
          manage.mutate({
            change: 'pause-subscription',
            subscriptionId: id,
            months: Number(length),
            done: instead.done(formatDate(end)),
          })
        }
      >
        {instead.pause(months(Number(length)))}
      </Button>
    </section>
  )
}
