import { paths } from '@ovation/contract/paths'
import { storyTexts } from '@ovation/contract/texts/stories'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { nameOf, type Viewer } from '../../lib/auth/viewer.ts'
import { useLiveChange } from '../../lib/live/use-live-change.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { type StoryRing, storyRingsQuery } from './queries.ts'
import classes from './story-rings.module.css'

const StoryComposer = lazy(() => import('./story-composer.tsx'))

const texts = storyTexts.rings
/** Creators whose new stories show at once: those of the row, and as many more as a live filter may have. */
const followedAtMost = 100

type Props = {
  viewer: Viewer
  /** The creators whose stories the viewer waits for. */
  followed: readonly string[]
}

/** The stories of followed creators, at the top of the home feed (STORY-01). Renders nothing where there is nothing to see or to add. */
export default function StoryRings({ viewer, followed }: Props) {
  const queryClient = useQueryClient()
  const { data: rings = [] } = useQuery(storyRingsQuery())
  const [composing, setComposing] = useState(false)
  const listened = followed.slice(0, followedAtMost)
  useLiveChange(
    'stories',
    listened.length > 0 ? `creator_id=in.(${listened.join(',')})` : null,
    () => void queryClient.invalidateQueries({ queryKey: storyRingsQuery().queryKey }),
    'INSERT',
  )
  const own = rings.find(({ creator_id }) => creator_id === viewer.profileId)
  const others = rings.filter((ring) => ring !== own)
  if (others.length === 0 && !viewer.mayPublish) return null
  return (
    <section aria-label={texts.label} className={classes.row}>
      <ul className={classes.list}>
        {viewer.mayPublish && (
          <li className={classes.item}>
            <OwnRing viewer={viewer} ring={own} onAdd={() => setComposing(true)} />
          </li>
        )}
        {others.map((ring) => (
          <li key={ring.creator_id} className={classes.item}>
            <Ring ring={ring} />
          </li>
        ))}
      </ul>
      {composing && (
        <Suspense>
          <StoryComposer viewer={viewer} onClose={() => setComposing(false)} />
        </Suspense>
      )}
    </section>
  )
}

function Ring({ ring }: { ring: StoryRing }) {
  const name = nameOf(ring)
  return (
    <Link
      to={paths.stories(ring.username)}
      state={{ fromApp: true }}
      className={classes.tile}
      aria-label={ring.unseen > 0 ? texts.new(name, ring.unseen) : texts.seen(name)}
    >
      <span className={classes.ring} data-unseen={ring.unseen > 0 || undefined}>
        <ProfileAvatar name={name} src={publicImage(ring.avatar_url, ring.updated_at)} size={60} />
      </span>
      <span className={classes.name} dir="auto">
        {name}
      </span>
    </Link>
  )
}

function OwnRing({ viewer, ring, onAdd }: { viewer: Viewer; ring: StoryRing | undefined; onAdd: () => void }) {
  const name = viewer.displayName || viewer.username || ''
  const avatar = <ProfileAvatar name={name} src={viewer.avatarUrl} size={60} />
  if (!ring)
    return (
      <button type="button" className={classes.tile} aria-label={texts.add} onClick={onAdd}>
        <span className={classes.ring}>
          {avatar}
          <span className={classes.plus}>
            <IconPlus size={14} stroke={2.5} aria-hidden="true" />
          </span>
        </span>
        <span className={classes.name}>{texts.yours}</span>
      </button>
    )
  return (
    <>
      <Link
        to={paths.stories(ring.username)}
        state={{ fromApp: true }}
        className={classes.tile}
        aria-label={texts.yours}
      >
        <span className={classes.ring} data-own>
          {avatar}
        </span>
        <span className={classes.name}>{texts.yours}</span>
      </Link>
      <button type="button" className={`${classes.plus} ${classes.add}`} aria-label={texts.add} onClick={onAdd}>
        <IconPlus size={14} stroke={2.5} aria-hidden="true" />
      </button>
    </>
  )
}
