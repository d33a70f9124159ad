import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { premiumTexts } from '@ovation/contract/texts/protected-content'
import { IconLock } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { Link } from 'react-router'
import type { Byline } from '../../lib/api/byline.ts'
import { addressOf, nameOf, type Viewer } from '../../lib/auth/viewer.ts'
import { useLiveChange } from '../../lib/live/use-live-change.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { toast } from '../../ui/toast.ts'
import classes from './gate.module.css'
import { GateHead } from './gate-head.tsx'
import { PremiumContent } from './premium-content.tsx'
import { PremiumContentSkeleton } from './premium-skeleton.tsx'
import { premiumKey, type Status, statusQuery } from './queries.ts'

type Props = { viewer: Viewer; creator: Byline }

/**
 * Shows the content to viewers with access, and to others how to get it (SUB-14..SUB-22, PREM-05). This only decides what is rendered;
 * the server decides about access to each post.
 */
export function Gate({ viewer, creator }: Props) {
  const queryClient = useQueryClient()
  const status = useQuery(statusQuery(viewer.profileId, creator.id))
  const own = viewer.profileId === creator.id
  const role = own ? 'owner' : viewer.isAdmin ? 'admin' : null
  const open = role !== null || status.data?.has_access === true

  const readAgain = useCallback(() => {
    void queryClient.invalidateQueries({ queryKey: [...premiumKey, 'status'] })
    void queryClient.invalidateQueries({ queryKey: ['posts', 'premium', creator.id] })
  }, [queryClient, creator.id])
  useLiveChange('subscriptions', `subscriber_id=eq.${viewer.profileId}`, readAgain)

  const refresh = async () => {
    const { isError } = await status.refetch()
    void queryClient.invalidateQueries({ queryKey: ['posts', 'premium', creator.id] })
    // Otherwise the screen says so in the place of the content.
    if (isError && open) toast.error(premiumTexts.statusFailed)
    else if (!isError) toast.success(premiumTexts.refreshed)
  }

  return (
    <>
      <GateHead
        creator={creator}
        status={open && !role ? (status.data ?? null) : null}
        role={role}
        onEnd={readAgain}
        onRefresh={() => void refresh()}
        refreshing={status.isFetching}
      />
      {status.isPending && !own ? (
        <PremiumContentSkeleton />
      ) : status.isError && !open ? (
        <LoadFailed title={premiumTexts.statusFailed} of={status} />
      ) : open ? (
        <PremiumContent creator={creator} />
      ) : (
        <Closed creator={creator} status={status.data?.status} pausedSince={status.data?.access_until ?? null} />
      )}
    </>
  )
}

type ClosedProps = {
  creator: Byline
  status: Status['status'] | undefined
  /** When a fan's own pause began; a trial that is paused for want of a card has no such date. */
  pausedSince: string | null
}

/** SUB-17, SUB-18 */
function Closed({ creator, status, pausedSince }: ClosedProps) {
  const { required, expired } = premiumTexts
  const { title, message, action } = status === 'canceled' ? expired : required
  const name = nameOf(creator)
  // The subscription still exists, so subscribing again is rejected: a working card restores access.
  const unpaid = status === 'past_due' || status === 'unpaid'
  const paused = status === 'paused'
  const whyPaused = pausedSince === null ? required.paused : required.onPause
  const why = unpaid ? required.unpaid : paused ? whyPaused : message
  return (
    <div className={`surface ${classes.closed}`}>
      <EmptyState
        icon={<IconLock size={26} stroke={1.5} />}
        title={title}
        message={why(name)}
        action={
          <Button component={Link} to={unpaid || paused ? paths.subscriptions : paths.plans(addressOf(creator))}>
            {unpaid || paused ? premiumTexts.warning.manage : action}
          </Button>
        }
      />
    </div>
  )
}
