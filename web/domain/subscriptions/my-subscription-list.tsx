import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { IconRepeat } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { useLiveChange } from '../../lib/live/use-live-change.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { PersonRows } from '../../ui/person-row.tsx'
import { mySubscriptionsQuery } from './my-subscriptions.ts'
import { subscriptionsKey } from './plan-queries.ts'
import { SubscriptionRow } from './subscription-row.tsx'

const { mine } = subscriptionTexts

export function MySubscriptionList({ viewer }: { viewer: Viewer }) {
  const queryClient = useQueryClient()
  const subscriptions = useQuery(mySubscriptionsQuery(viewer.profileId))
  useLiveChange('subscriptions', `subscriber_id=eq.${viewer.profileId}`, () =>
    queryClient.invalidateQueries({ queryKey: subscriptionsKey }),
  )

  if (subscriptions.isPending) return <ListSkeleton rows={3} />
  if (subscriptions.isError) return <LoadFailed title={mine.loadFailed} of={subscriptions} />
  if (subscriptions.data.length === 0) return <NoSubscriptions />
  return (
    <PersonRows>
      {subscriptions.data.map((subscription) => (
        <SubscriptionRow key={subscription.id} subscription={subscription} />
      ))}
    </PersonRows>
  )
}

function NoSubscriptions() {
  const { title, message, action } = mine.empty
  return (
    <EmptyState
      icon={<IconRepeat size={26} stroke={1.5} />}
      title={title}
      message={message}
      action={
        <Button component={Link} to={paths.explore} variant="default">
          {action}
        </Button>
      }
    />
  )
}
