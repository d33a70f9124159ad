import { paths } from '@ovation/contract/paths'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Byline } from '../lib/api/byline.ts'
import { addressOf, nameOf } from '../lib/auth/viewer.ts'
import { publicImage } from '../lib/media/public-image.ts'
import classes from './person-row.module.css'
import { ProfileAvatar } from './profile-avatar.tsx'
import { VerifiedBadge } from './verified-badge.tsx'

type Props = {
  person: Omit<Byline, 'id'>
  /** Beside the name. */
  mark?: ReactNode
  /** Details below the name. */
  children: ReactNode
  /** The row's action: one element or none. */
  action: ReactNode
  /** Called when a link is followed, for example to close a dialog. */
  onLeave?: (() => void) | undefined
}

/** A list of users, one row each. */
export const PersonRows = ({ children }: { children: ReactNode }) => <ul className={classes.list}>{children}</ul>

/** A user in a list, linked to their profile. */
export function PersonRow({ person, mark, children, action, onLeave }: Props) {
  const name = nameOf(person)
  const profile = paths.profile(addressOf(person))
  return (
    <li className={`surface ${classes.row}`}>
      <Link to={profile} tabIndex={-1} aria-hidden="true" className={classes.avatar} onClick={onLeave}>
        <ProfileAvatar name={name} src={publicImage(person.avatar_url, person.updated_at)} size={52} />
      </Link>
      <div className={classes.text}>
        <div className={classes.nameLine}>
          <Link to={profile} className={classes.name} dir="auto" onClick={onLeave}>
            {name}
          </Link>
          {person.is_verified && <VerifiedBadge />}
          {mark}
        </div>
        {children}
      </div>
      {action}
    </li>
  )
}
