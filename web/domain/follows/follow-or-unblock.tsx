import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { useViewer } from '../../lib/auth/viewer.ts'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import UnblockButton from '../blocks/unblock-button.tsx'
import { blockedAmongQuery } from '../blocks/use-block.ts'
import { FollowButton, FollowPlaceholder } from './follow-button.tsx'

type Props = ComponentProps<typeof FollowButton> & { listed: string[] }

/** A list's button for a user: Follow, or Unblock if the viewer has blocked them (D39). */
export function FollowOrUnblock(props: Props) {
  const { profileId, name, listed } = props
  const viewer = useViewer()
  const place = useKeptFocus()
  const blocked = useQuery({ ...blockedAmongQuery(viewer?.profileId ?? '', listed), enabled: Boolean(viewer) })
  if (viewer?.profileId === profileId) return null
  return (
    <div {...place}>
      {blocked.data?.includes(profileId) ? (
        <UnblockButton profileId={profileId} name={name} />
      ) : viewer && blocked.isPending ? (
        <FollowPlaceholder />
      ) : (
        <FollowButton {...props} />
      )}
    </div>
  )
}
