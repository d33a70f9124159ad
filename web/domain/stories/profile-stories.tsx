import { paths } from '@ovation/contract/paths'
import { storyTexts } from '@ovation/contract/texts/stories'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { sized, useMediaLinks } from '../../lib/media/media-links.ts'
import classes from './profile-stories.module.css'
import { highlightsQuery, storiesQuery } from './queries.ts'

const HighlightDialog = lazy(() => import('./highlight-dialog.tsx'))

const texts = storyTexts.highlights

type RingProps = { creatorId: string; username: string; name: string; children: ReactNode }

/** The ring around the portrait of a creator with stories, which leads to them (STORY-01). */
export function ProfileRing({ creatorId, username, name, children }: RingProps) {
  const { data: stories = [] } = useQuery(storiesQuery(creatorId))
  if (stories.length === 0) return children
  const isNew = stories.some(({ is_seen }) => !is_seen)
  return (
    <Link
      to={paths.stories(username)}
      state={{ fromApp: true }}
      className={classes.ring}
      data-unseen={isNew || undefined}
      aria-label={storyTexts.rings.of(name)}
    >
      {children}
    </Link>
  )
}

type HighlightsProps = { creatorId: string; username: string; own: boolean }

/** Stories that a creator keeps on their profile (STORY-02). Renders nothing where there are none. */
export function ProfileHighlights({ creatorId, username, own }: HighlightsProps) {
  const { data: highlights = [] } = useQuery(highlightsQuery(creatorId))
  const { links } = useMediaLinks(
    highlights.map(({ cover_path }) => cover_path),
    'stories',
  )
  const [adding, setAdding] = useState(false)
  if (highlights.length === 0 && !own) return null
  return (
    <section aria-label={texts.label}>
      <ul className={classes.list}>
        {own && (
          <li className={classes.item}>
            <button type="button" className={classes.tile} onClick={() => setAdding(true)}>
              <span className={classes.cover}>
                <IconPlus size={22} stroke={1.6} aria-hidden="true" />
              </span>
              <span className={classes.name}>{texts.new}</span>
            </button>
          </li>
        )}
        {highlights.map(({ id, name, stories, cover_path }) => {
          const link = links.get(cover_path)
          return (
            <li key={id} className={classes.item}>
              <Link
                to={paths.stories(username, `highlight=${id}`)}
                state={{ fromApp: true }}
                className={classes.tile}
                aria-label={texts.open(name, stories)}
              >
                <span className={classes.cover}>
                  {link && <img src={sized(link, 144)} alt="" loading="lazy" decoding="async" />}
                </span>
                <span className={classes.name} dir="auto">
                  {name}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
      {adding && (
        <Suspense>
          <HighlightDialog creatorId={creatorId} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </section>
  )
}
