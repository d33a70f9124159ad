import { ActionIcon, Title } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { exploreTexts } from '@ovation/contract/texts/discover'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { nameOf } from '../../lib/auth/viewer.ts'
import type { MediaLinksState } from '../../lib/media/media-links.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { hasModifier } from '../../ui/has-modifier.ts'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import { CreatorPicture } from './creator-picture.tsx'
import { CreatorPrice } from './creator-price.tsx'
import classes from './explore-rails.module.css'
import type { Rail, ShownCreator } from './queries.ts'

const texts = exploreTexts.rails

type Props = { rail: Rail; media: MediaLinksState }

/**
 * A row of creators that scrolls sideways: by touch, by the arrow keys from card to card, and with a mouse by two buttons, which keyboards
 * and screen readers don't need.
 */
export function CreatorRail({ rail: { name, creators }, media }: Props) {
  const titleId = useId()
  const list = useRef<HTMLUListElement>(null)
  const ends = useScrollEnds(list)
  const scroll = (direction: 1 | -1) =>
    list.current?.scrollBy({ left: direction * list.current.clientWidth * 0.85, behavior: 'smooth' })
  return (
    <section aria-labelledby={titleId} className={classes.rail}>
      <div className={classes.head}>
        <Title order={2} id={titleId} className={classes.title}>
          {name === 'new' || name === 'week' ? texts[name] : name}
        </Title>
        {name !== 'new' && name !== 'week' && (
          <Link to={paths.exploreCategory(name)} className={`reach ${classes.all}`} aria-label={texts.seeAllOf(name)}>
            {texts.seeAll}
          </Link>
        )}
        {!(ends.atStart && ends.atEnd) && (
          <div className={classes.arrows} aria-hidden="true">
            <ActionIcon
              variant="default"
              radius="xl"
              tabIndex={-1}
              title={texts.back}
              onClick={() => scroll(-1)}
              disabled={ends.atStart}
            >
              <IconChevronLeft size={18} stroke={1.8} />
            </ActionIcon>
            <ActionIcon
              variant="default"
              radius="xl"
              tabIndex={-1}
              title={texts.forward}
              onClick={() => scroll(1)}
              disabled={ends.atEnd}
            >
              <IconChevronRight size={18} stroke={1.8} />
            </ActionIcon>
          </div>
        )}
      </div>
      <ul ref={list} className={classes.list} onKeyDown={moveFocus}>
        {creators.map((creator) => (
          <li key={creator.id} className={classes.item}>
            <RailCard creator={creator} media={media} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The picture first, then the face, the name, one line of text, and the price or the trial. */
function RailCard({ creator, media }: { creator: ShownCreator; media: MediaLinksState }) {
  const name = nameOf(creator)
  const line = creator.bio || creator.categories.join(', ')
  return (
    <article className={`surface ${classes.card}`}>
      <CreatorPicture creator={creator} media={media} />
      <div className={classes.body}>
        <div className={classes.avatar}>
          <ProfileAvatar name={name} src={publicImage(creator.avatar_url, creator.updated_at)} size={52} />
        </div>
        <h3 className={classes.nameLine}>
          {/* The link's area covers the whole card. */}
          <Link to={paths.profile(creator.username ?? creator.id)} className={classes.name} dir="auto">
            {name}
          </Link>
          {creator.is_verified && <VerifiedBadge size={16} />}
        </h3>
        <p className={classes.line} dir="auto">
          {line}
        </p>
        <p className={classes.price}>
          <CreatorPrice creator={creator} />
        </p>
      </div>
    </article>
  )
}

/** From card to card. The browser scrolls to the one with the focus. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const links: (HTMLElement | null)[] = [...event.currentTarget.querySelectorAll('a')]
  const index = links.indexOf(document.activeElement as HTMLElement | null)
  const last = links.length - 1
  const next = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key]
  if (index === -1 || next === undefined || hasModifier(event)) return
  event.preventDefault()
  links[Math.min(Math.max(next, 0), last)]?.focus()
}

/** Whether there is more to scroll to, on either side. */
function useScrollEnds(list: RefObject<HTMLElement | null>): { atStart: boolean; atEnd: boolean } {
  const [ends, setEnds] = useState({ atStart: true, atEnd: true })
  useEffect(() => {
    const element = list.current
    if (!element) return
    const read = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element
      const atStart = scrollLeft <= 1
      const atEnd = scrollLeft + clientWidth >= scrollWidth - 1
      setEnds((known) => (known.atStart === atStart && known.atEnd === atEnd ? known : { atStart, atEnd }))
    }
    read()
    element.addEventListener('scroll', read, { passive: true })
    const size = new ResizeObserver(read)
    size.observe(element)
    return () => {
      element.removeEventListener('scroll', read)
      size.disconnect()
    }
  }, [list])
  return ends
}
