import { ActionIcon, Title } from '@mantine/core'
import { exploreTexts } from '@ovation/contract/texts/discover'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { hasModifier } from '../../ui/has-modifier.ts'
import classes from './explore-rails.module.css'

const texts = exploreTexts.rails

type Props = {
  title: string
  /** Beside the title: a link to all of them, or a few words. */
  beside?: ReactNode
  /** List items, each with one link. */
  children: ReactNode
}

/**
 * A row of cards that scrolls sideways: by touch, by the arrow keys from card to card, and with a mouse by two buttons, which keyboards
 * and screen readers don't need.
 */
export function Rail({ title, beside, children }: Props) {
  const titleId = useId()
  const list = useRef<HTMLUListElement>(null)
  const ends = useScrollEnds(list)
  const scroll = (direction: 1 | -1) =>
    list.current?.scrollBy({ left: direction * list.current.clientWidth * 0.85, behavior: 'smooth' })
  return (
    <section aria-labelledby={titleId} className={classes.rail}>
      <div className={classes.head}>
        <Title order={2} id={titleId} className={classes.title}>
          {title}
        </Title>
        {beside}
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
        {children}
      </ul>
    </section>
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
