import { searchTexts } from '@ovation/contract/texts/discover'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { FoundUser } from '../../domain/follows/found-user.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import { userSearchQuery } from './search-queries.ts'
import classes from './search-suggestions.module.css'

const shown = 6

type Props = {
  id: string
  query: string
  /** The index chosen with the arrow keys; -1 for none. */
  active: number
  /** Passes the suggestions to the search box, which handles the keys. */
  onFound: (users: FoundUser[]) => void
  onChoose: (user: FoundUser) => void
}

/** Users whose names match the input, below the search box. If the search fails, there are none, and Enter still searches. */
export default function SearchSuggestions({ id, query, active, onFound, onChoose }: Props) {
  const found = useQuery(userSearchQuery(query, shown))
  const users = found.data
  useEffect(() => onFound(users ?? []), [users, onFound])
  if (!users?.length) return null
  return (
    <div id={id} className={classes.list} role="listbox" aria-label={searchTexts.suggestions}>
      {users.map((user, index) => (
        // Not in the tab order: the focus stays in the search box, whose arrow keys reach the suggestions.
        <button
          key={user.id}
          id={`${id}-${index}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={classes.option}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(user)}
        >
          <ProfileAvatar name={nameOf(user)} src={publicImage(user.avatar_url, user.updated_at)} size={36} />
          <span className={classes.text}>
            <span className={classes.nameLine}>
              <span className={classes.name} dir="auto">
                {nameOf(user)}
              </span>
              {user.is_verified && <VerifiedBadge size={16} />}
            </span>
            {user.username && <span className={classes.handle}>@{user.username}</span>}
          </span>
        </button>
      ))}
    </div>
  )
}
