import { Button, Skeleton } from '@mantine/core'
import { profileTexts } from '@ovation/contract/texts/profile'
import { lazy, Suspense } from 'react'
import { useViewer } from '../../lib/auth/viewer.ts'
import { useAskToSignIn } from '../accounts/use-ask-to-sign-in.ts'
import classes from './follow-button.module.css'
import { useFollow } from './use-follow.ts'
import { useUnfollow } from './use-unfollow.ts'

// Only for a creator whom the viewer pays.
const UnfollowDialog = lazy(() => import('./unfollow-dialog.tsx'))

type Props = {
  profileId: string
  name: string
  /** All profiles in the same list; only `profileId` on a profile. */
  listed?: string[]
  onChange?: (change: 1 | -1) => void
  keepsFeed?: boolean
  /** Another button of the screen is the primary one, or it is one of many in a list (LOOP-28). */
  secondary?: boolean
}

/** A placeholder until the state is known. */
export const FollowPlaceholder = () => <Skeleton className={classes.placeholder ?? ''} height="2.25rem" radius="md" />

/**
 * Follow or unfollow (PROF-07, PROF-19). Not shown to the profile's owner; visitors have to sign in (GEN-40). Unfollowing a creator whom the
 * viewer pays asks first (LOOP-01).
 */
export function FollowButton({ profileId, name, listed = [profileId], onChange, keepsFeed, secondary }: Props) {
  const viewer = useViewer()
  const askToSignIn = useAskToSignIn()
  const follow = useFollow({ viewerId: viewer?.profileId, profileId, listed, onChange, keepsFeed })
  const unfollow = useUnfollow({ viewerId: viewer?.profileId, profileId, unfollow: () => follow.set(false) })
  if (viewer?.profileId === profileId) return null

  // Unknown: neither label is right yet.
  if (viewer === undefined || follow.asking) return <FollowPlaceholder />
  const pending = follow.pending || unfollow.pending
  const press = () => {
    if (!viewer) askToSignIn({ kind: 'follow', id: profileId })
    else if (pending) return
    else if (follow.following) unfollow.ask()
    else follow.set(true)
  }
  const label = follow.following ? profileTexts.following : profileTexts.follow
  return (
    <>
      <Button
        variant={follow.following || secondary ? 'default' : 'filled'}
        aria-pressed={follow.following}
        // Names distinguish the buttons of a list.
        aria-label={`${label} ${name}`}
        onClick={press}
        disabled={!follow.known}
        // Not `disabled`, which would lose the focus after a keyboard click.
        aria-disabled={pending}
        className={classes.button}
      >
        {label}
      </Button>
      {unfollow.asking && (
        <Suspense>
          <UnfollowDialog name={name} onConfirm={unfollow.confirm} onClose={unfollow.close} />
        </Suspense>
      )}
    </>
  )
}
