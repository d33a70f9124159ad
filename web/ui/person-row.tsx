import { paths } from '@ovation/contract/routes'
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
  /** What is said of them, below the name. */
  children: ReactNode
  /** What can be done: one element, or nothing. */
  action: ReactNode
  /** Told when a link is followed: a dialog closes. */
  onLeave?: (() => void) | undefined
}

/** People below each other, each with a row. */
export const PersonRows = ({ children }: { children: ReactNode }) => <ul className={classes.list}>{children}</ul>

/** A person in a list, who leads to their profile. */
export function PersonRow({ person, mark, children, action, onLeave }: Props) {
  const name = nameOf(person)
  const profile = paths.profile(addressOf(person))
  return (
    <li className={`surface ${classes.row}`}>
      <Link to={profile} tabIndex={-1} aria-hidden="true" className={classes.avatar} onClick={onLeave}>
        <ProfileAvatar name={name} src={publicImage(person.avatar_url, person.updated_at)} size={52} />
      </Link>
      <div className={classes.words}>
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
