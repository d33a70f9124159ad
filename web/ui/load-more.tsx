import { Button, Text } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { useEffect, useRef } from 'react'
import classes from './load-more.module.css'

type Props = {
  onReach: () => void
  pending: boolean
  failed: boolean
  failure: string
  /** For a list inside a list: the outer one would never end if the inner one grew by itself. */
  byPressOnly?: boolean
}

/** The end of a list that goes on: loads before it comes in sight, and by a press where that did not happen or failed. */
export function LoadMore({ onReach, pending, failed, failure, byPressOnly = false }: Props) {
  const end = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = end.current
    // After a failure the person decides: asking again by itself would never end.
    if (!element || pending || failed || byPressOnly) return
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && onReach(), {
      rootMargin: '800px 0px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [onReach, pending, failed, byPressOnly])

  return (
    <div ref={end} className={classes.end} role={failed ? 'alert' : undefined}>
      {failed && <Text c="dimmed">{failure}</Text>}
      <Button variant="default" onClick={onReach} loading={pending}>
        {failed ? commonTexts.retry : commonTexts.loadMore}
      </Button>
    </div>
  )
}
