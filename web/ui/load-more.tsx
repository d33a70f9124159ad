import { Button, Text } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { useEffect, useRef } from 'react'
import classes from './load-more.module.css'

type Props = {
  onReach: () => void
  pending: boolean
  failed: boolean
  failure: string
  /** For a nested list: if it grew by itself, the viewer would never reach the end of the outer one. */
  byPressOnly?: boolean
}

/** Loads the next page before the end of a list comes into view, or on a click if that failed. */
export function LoadMore({ onReach, pending, failed, failure, byPressOnly = false }: Props) {
  const end = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = end.current
    // After a failure the user decides: automatic retries would never end.
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
