import { Badge } from '@mantine/core'
import { paths } from '@ovation/contract/routes'
import { searchTexts } from '@ovation/contract/texts/discover'
import { Link } from 'react-router'
import { formatCount } from '../../lib/format.ts'
import { publicImage } from '../../lib/public-image.ts'
import { addressOf, nameOf } from '../../lib/viewer.ts'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import { FollowButton } from '../follows/follow-button.tsx'
import type { FoundUser } from './queries.ts'
import classes from './user-row.module.css'

type Props = {
  user: FoundUser /** Everybody in the list: their follow states are asked for together. */
  listed: string[]
  /** Told when a link is followed: a dialog closes. */
  onLeave?: () => void
}

/** SRCH-05, SRCH-06 */
export function UserRow({ user, listed, onLeave }: Props) {
  const name = nameOf(user)
  const profile = paths.profile(addressOf(user))
  return (
    <li className={`surface ${classes.row}`}>
      <Link to={profile} tabIndex={-1} aria-hidden="true" className={classes.avatar} onClick={onLeave}>
        <ProfileAvatar name={name} src={publicImage(user.avatar_url, user.updated_at)} size={52} />
      </Link>
      <div className={classes.words}>
        <div className={classes.nameLine}>
          <Link to={profile} className={classes.name} dir="auto" onClick={onLeave}>
            {name}
          </Link>
          {user.is_verified && <VerifiedBadge />}
          {user.is_verified && user.is_creator && (
            <Badge variant="light" size="sm" tt="none">
              {searchTexts.creator}
            </Badge>
          )}
        </div>
        <div className={classes.detail}>
          {user.username && (
            <Link to={profile} className={classes.handle} onClick={onLeave}>
              @{user.username}
            </Link>
          )}
          <span>{searchTexts.followers(formatCount(user.followers_count), user.followers_count === 1)}</span>
        </div>
        {user.bio && (
          <p className={classes.bio} dir="auto">
            {user.bio}
          </p>
        )}
      </div>
      <FollowButton profileId={user.id} name={name} listed={listed} />
    </li>
  )
}
