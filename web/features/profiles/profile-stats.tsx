import { followsTexts } from '@ovation/contract/texts/follows'
import { profileTexts } from '@ovation/contract/texts/profile'
import { lazy, Suspense, useState } from 'react'
import type { FollowList } from '../../domain/follows/queries.ts'
import { nameOf, useViewer } from '../../lib/auth/viewer.ts'
import { formatCents, formatCompact, formatCount } from '../../lib/format/format-number.ts'
import classes from './profile-stats.module.css'
import type { Profile } from './queries.ts'

const FollowLists = lazy(() => import('../../domain/follows/follow-lists.tsx'))

const { stats } = profileTexts

/** PROF-05, PROF-06: only the creator sees "Earned". PROF-18: counts with a list open it. */
export function ProfileStats({ profile, own }: { profile: Profile; own: boolean }) {
  const viewer = useViewer()
  const [open, setOpen] = useState<FollowList>()
  // A private profile doesn't show its followers (PROF-22).
  const listed = own || !profile.is_private || viewer?.isAdmin === true
  const opens = (list: FollowList, count: number) => (listed && count > 0 ? () => setOpen(list) : undefined)
  const { followers_count: followers, following_count: following } = profile
  return (
    <>
      <dl className={classes.stats} aria-label={profileTexts.statistics}>
        <Stat
          label={stats.followers}
          value={followers}
          opens={followsTexts.openFollowers(formatCompact(followers))}
          onOpen={opens('followers', followers)}
        />
        <Stat
          label={stats.following}
          value={following}
          opens={followsTexts.openFollowing(formatCompact(following))}
          onOpen={opens('following', following)}
        />
        <Stat label={stats.photos} value={profile.total_photos} />
        <Stat label={stats.videos} value={profile.total_videos} />
        <Stat label={stats.posts} value={profile.total_posts} />
        {own && profile.is_verified && profile.total_earnings !== null && (
          <div className={classes.stat}>
            <dt>{stats.earned}</dt>
            <dd>{formatCents(profile.total_earnings)}</dd>
          </div>
        )}
      </dl>
      {open && (
        <Suspense>
          <FollowLists profile={profile} name={nameOf(profile)} opened={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  )
}

type StatProps = { label: string; value: number; opens?: string; onOpen?: (() => void) | undefined }

function Stat({ label, value, opens, onOpen }: StatProps) {
  return (
    <div className={classes.stat} title={formatCount(value)}>
      <dt>{label}</dt>
      <dd>
        {onOpen ? (
          <button type="button" className={classes.open} aria-label={opens} onClick={onOpen}>
            {formatCompact(value)}
          </button>
        ) : (
          formatCompact(value)
        )}
      </dd>
    </div>
  )
}
