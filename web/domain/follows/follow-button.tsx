import { Button, Skeleton } from '@mantine/core'
import { profileTexts } from '@ovation/contract/texts/profile'
import { useViewer } from '../../lib/auth/viewer.ts'
import { useAskToSignIn } from '../accounts/use-ask-to-sign-in.ts'
import classes from './follow-button.module.css'
import { useFollow } from './use-follow.ts'

type Props = {
  profileId: string
  name: string
  /** Everybody in the same list; alone on a profile. */
  listed?: string[]
  onChange?: (change: 1 | -1) => void
  keepsFeed?: boolean
}

/** Where the button will stand, as long as it is not known which. */
export const FollowPlace = () => <Skeleton className={classes.place ?? ''} height="2.25rem" radius="md" />

/** Follow or unfollow (PROF-07, PROF-19). Nobody follows themselves; visitors have to sign in (GEN-40). */
export function FollowButton({ profileId, name, listed = [profileId], onChange, keepsFeed }: Props) {
  const viewer = useViewer()
  const askToSignIn = useAskToSignIn()
  const follow = useFollow({ viewerId: viewer?.profileId, profileId, listed, onChange, keepsFeed })
  if (viewer?.profileId === profileId) return null

  // Neither label is true yet.
  if (viewer === undefined || follow.asking) return <FollowPlace />
  const press = () => {
    if (!viewer) askToSignIn()
    else if (!follow.pending) follow.set(!follow.following)
  }
  const label = follow.following ? profileTexts.following : profileTexts.follow
  return (
    <Button
      variant={follow.following ? 'default' : 'filled'}
      aria-pressed={follow.following}
      // In a list, names distinguish the buttons.
      aria-label={`${label} ${name}`}
      onClick={press}
      disabled={!follow.known}
      // The button keeps the focus after a press by keyboard: a disabled one would lose it.
      aria-disabled={follow.pending}
      className={classes.button}
    >
      {label}
    </Button>
  )
}
