import { nameOf } from '../../lib/auth/viewer.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { ProfileAvatar, toneOf } from '../../ui/profile-avatar.tsx'
import tones from '../../ui/tone.module.css'
import classes from './creator-cover.module.css'
import type { CreatorIntro } from './creator-intro-query.ts'

type Props = {
  creator: Omit<CreatorIntro, 'bio'>
  /** On a phone, only the avatar. */
  compactOnPhone?: boolean
}

/** A creator's cover with the avatar at its lower edge. Without a cover, a band in the name's color. Decorative: the name is below it. */
export function CreatorCover({ creator, compactOnPhone = false }: Props) {
  const name = nameOf(creator)
  const cover = publicImage(creator.cover_url, creator.updated_at)
  return (
    <div className={classes.head} data-compact={compactOnPhone}>
      <div className={`${classes.cover} ${tones.tone}`} data-tone={toneOf(name)}>
        {cover && <img src={cover} alt="" />}
      </div>
      <div className={classes.avatar}>
        <ProfileAvatar name={name} src={publicImage(creator.avatar_url, creator.updated_at)} size="var(--face)" />
      </div>
    </div>
  )
}
