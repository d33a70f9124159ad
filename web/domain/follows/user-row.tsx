import { Badge } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { searchTexts } from '@ovation/contract/texts/discover'
import { Link } from 'react-router'
import { addressOf, nameOf } from '../../lib/auth/viewer.ts'
import { formatCount } from '../../lib/format/format-number.ts'
import { PersonRow } from '../../ui/person-row.tsx'
import { FollowOrUnblock } from './follow-or-unblock.tsx'
import type { FoundUser } from './found-user.ts'
import classes from './user-row.module.css'

type Props = {
  user: FoundUser /** All users of the list: their follows and blocks are read in one request. */
  listed: string[]
  /** Called when a link is followed, for example to close a dialog. */
  onLeave?: () => void
}

/** SRCH-05, SRCH-06 */
export function UserRow({ user, listed, onLeave }: Props) {
  const profile = paths.profile(addressOf(user))
  return (
    <PersonRow
      person={user}
      onLeave={onLeave}
      mark={
        user.is_verified &&
        user.is_creator && (
          <Badge variant="light" color="gray" size="sm" tt="none">
            {searchTexts.creator}
          </Badge>
        )
      }
      action={<FollowOrUnblock profileId={user.id} name={nameOf(user)} listed={listed} secondary />}
    >
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
    </PersonRow>
  )
}
