import { profileTexts } from '@ovation/contract/texts/profile'
import { formatCompact, formatCount, formatDollars } from '../../lib/format.ts'
import classes from './profile-stats.module.css'
import type { Profile } from './queries.ts'

const { stats } = profileTexts

/** PROF-05, PROF-06: "Earned" is for the creator's own eyes. */
export function ProfileStats({ profile, own }: { profile: Profile; own: boolean }) {
  return (
    <dl className={classes.stats} aria-label={profileTexts.statistics}>
      <Stat label={stats.followers} value={profile.followers_count} />
      <Stat label={stats.following} value={profile.following_count} />
      <Stat label={stats.photos} value={profile.total_photos} />
      <Stat label={stats.videos} value={profile.total_videos} />
      <Stat label={stats.posts} value={profile.total_posts} />
      {own && profile.is_verified && profile.total_earnings !== null && (
        <div className={classes.stat}>
          <dt>{stats.earned}</dt>
          <dd>{formatDollars(profile.total_earnings)}</dd>
        </div>
      )}
    </dl>
  )
}

function Stat({ label, value }: { label: string; value: number }) {
  return (
    <div className={classes.stat} title={`${formatCount(value)} ${label}`}>
      <dt>{label}</dt>
      <dd>{formatCompact(value)}</dd>
    </div>
  )
}
