import { paths } from '@ovation/contract/paths'
import { operationsTexts } from '@ovation/contract/texts/operations'
import { Link } from 'react-router'
import classes from './lines.module.css'

type Props = { username: string | null; name: string | null }

/** A user's name, linked to the profile, or a note that the account was deleted. */
export function UserName({ username, name }: Props) {
  if (!username) return <span>{operationsTexts.payments.formerMember}</span>
  return (
    <Link to={paths.profile(username)} className={classes.user} title={`@${username}`} dir="auto">
      {name || username}
    </Link>
  )
}
