import { Alert, Badge, Button } from '@mantine/core'
import { paths } from '@ovation/contract/routes'
import { premiumTexts } from '@ovation/contract/texts/protected-content'
import { IconClock, IconLock, IconLockOpen, IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { Link } from 'react-router'
import { publicImage } from '../../lib/public-image.ts'
import { useLiveChange } from '../../lib/use-live-change.ts'
import { addressOf, nameOf, type Viewer } from '../../lib/viewer.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { toast } from '../../ui/toast.ts'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import { timeLeft, useCountdown, warningMs } from './countdown.ts'
import classes from './gate.module.css'
import { PremiumContent } from './premium-content.tsx'
import { type PremiumCreator, premiumKey, type Status, statusQuery } from './queries.ts'

type Props = { viewer: Viewer; creator: PremiumCreator }

/**
 * Shows the content to whom the gate lets in, and to others what it takes (SUB-14..SUB-22, PREM-05). It decides what is
 * drawn; what may be read is decided by the server for each post.
 */
export function Gate({ viewer, creator }: Props) {
  const queryClient = useQueryClient()
  const status = useQuery(statusQuery(viewer.profileId, creator.id))
  const own = viewer.profileId === creator.id
  const open = own || viewer.isAdmin || status.data?.has_access === true

  const readAgain = useCallback(() => {
    void queryClient.invalidateQueries({ queryKey: [...premiumKey, 'status'] })
    void queryClient.invalidateQueries({ queryKey: ['posts', 'premium', creator.id] })
  }, [queryClient, creator.id])
  useLiveChange('subscriptions', `subscriber_id=eq.${viewer.profileId}`, readAgain)

  const refresh = async () => {
    const { isError } = await status.refetch()
    void queryClient.invalidateQueries({ queryKey: ['posts', 'premium', creator.id] })
    if (isError) toast.error(premiumTexts.statusFailed)
    else toast.success(premiumTexts.refreshed)
  }

  return (
    <>
      <Head creator={creator}>
        <Standing
          status={open && !own && !viewer.isAdmin ? (status.data ?? null) : null}
          role={own ? 'owner' : viewer.isAdmin ? 'admin' : null}
          onEnd={readAgain}
        />
        <Button
          variant="default"
          leftSection={<IconRefresh size={18} stroke={1.6} />}
          loading={status.isFetching}
          onClick={() => void refresh()}
        >
          {premiumTexts.refresh}
        </Button>
      </Head>
      {status.isPending && !own ? (
        <ListSkeleton rows={1} shape="post" />
      ) : status.isError && !open ? (
        <ErrorState title={premiumTexts.statusFailed} onRetry={() => status.refetch()} retrying={status.isFetching} />
      ) : open ? (
        <PremiumContent creator={creator} />
      ) : (
        <Closed creator={creator} expired={status.data?.status === 'canceled'} />
      )}
    </>
  )
}

function Head({ creator, children }: { creator: PremiumCreator; children: React.ReactNode }) {
  const name = nameOf(creator)
  return (
    <header className={classes.head}>
      <ProfileAvatar name={name} src={publicImage(creator.avatar_url, creator.updated_at)} size={64} />
      <div className={classes.words}>
        <p className={classes.over}>{premiumTexts.title}</p>
        <h1 className={classes.name}>
          <Link to={paths.profile(addressOf(creator))}>{name}</Link>
          {creator.is_verified && <VerifiedBadge size={22} />}
        </h1>
      </div>
      <div className={classes.standing}>{children}</div>
    </header>
  )
}

type StandingProps = { status: Status | null; role: 'owner' | 'admin' | null; onEnd: () => void }

/** In which state one is let in, for how much longer, and a warning before it ends (SUB-19, SUB-20). */
function Standing({ status, role, onEnd }: StandingProps) {
  const left = useCountdown(status ? (status.access_until ?? status.current_period_end) : null, onEnd)
  if (role)
    return (
      <Badge size="lg" variant="light" tt="none" leftSection={<IconLockOpen size={15} />}>
        {premiumTexts.states[role]}
      </Badge>
    )
  if (!status) return null
  const state = status.status as 'active' | 'trial' | 'past_due' | 'canceled'
  const time = left === null ? null : timeLeft(left)
  return (
    <>
      <Badge size="lg" variant="light" tt="none" leftSection={<IconLockOpen size={15} />}>
        {premiumTexts.states[state] ?? premiumTexts.states.active}
      </Badge>
      {time && (
        <span className={classes.left}>
          <IconClock size={17} stroke={1.6} aria-hidden="true" />
          {premiumTexts.left(time)}
        </span>
      )}
      {left !== null && left <= warningMs && time && (
        <Alert
          className={classes.warning}
          color="yellow"
          variant="light"
          icon={<IconClock size={20} stroke={1.6} />}
          title={premiumTexts.warning.title}
        >
          {warningFor(state)(time)}{' '}
          <Link to={paths.subscriptions} className={classes.manage}>
            {premiumTexts.warning.manage}
          </Link>
        </Alert>
      )}
    </>
  )
}

function warningFor(state: string): (time: string) => string {
  const { warning } = premiumTexts
  if (state === 'trial') return warning.trial
  if (state === 'canceled') return warning.ends
  return state === 'past_due' ? warning.pastDue : warning.renews
}

/** SUB-17, SUB-18 */
function Closed({ creator, expired }: { creator: PremiumCreator; expired: boolean }) {
  const { title, message, action } = expired ? premiumTexts.expired : premiumTexts.required
  return (
    <div className={`surface ${classes.closed}`}>
      <EmptyState
        icon={<IconLock size={26} stroke={1.5} />}
        title={title}
        message={message(nameOf(creator))}
        action={
          <Button component={Link} to={paths.plans(addressOf(creator))}>
            {action}
          </Button>
        }
      />
    </div>
  )
}
