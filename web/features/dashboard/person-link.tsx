import { paths } from '@ovation/contract/paths'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { Link } from 'react-router'
import { addressOf, nameOf } from '../../lib/auth/viewer.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import classes from './panel.module.css'
import type { Person } from './query-parts.ts'

export const personName = (person: Person | null): string =>
  person ? nameOf(person) : dashboardTexts.earnings.formerMember

export function PersonAvatar({ person, size = 40 }: { person: Person | null; size?: number }) {
  return (
    <ProfileAvatar
      name={personName(person)}
      src={person && publicImage(person.avatar_url, person.updated_at)}
      size={size}
    />
  )
}

/** A name, linked to the profile if it still exists. */
export function PersonLink({ person }: { person: Person | null }) {
  if (!person) return <span className={classes.primary}>{personName(null)}</span>
  return (
    <Link to={paths.profile(addressOf(person))} className={classes.primary} dir="auto">
      {nameOf(person)}
    </Link>
  )
}
