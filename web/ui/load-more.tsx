import { Button, Text } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import classes from './load-more.module.css'

type Props = {
  /** The query whose next page it loads. Where there is none, there is nothing to see. */
  of: Pick<
    UseInfiniteQueryResult<unknown>,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >
  failure: string
  /** In place of loading alone. */
  onReach?: () => void
  /** For a list inside a list: the outer one would never end if the inner one grew by itself. */
  byPressOnly?: boolean
}

/** The end of a list that goes on: loads before it comes in sight, and by a press where that did not happen or failed. */
export function LoadMore({ of: query, failure, onReach, byPressOnly = false }: Props) {
  const { hasNextPage: more, isFetchingNextPage: pending, isFetchNextPageError: failed, fetchNextPage } = query
  const end = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = end.current
    // After a failure the person decides: asking again by itself would never end.
    if (!element || !more || pending || failed || byPressOnly) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && void fetchNextPage(),
      { rootMargin: '800px 0px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [fetchNextPage, more, pending, failed, byPressOnly])

  if (!more) return null
  return (
    <div ref={end} className={classes.end} role={failed ? 'alert' : undefined}>
      {failed && <Text c="dimmed">{failure}</Text>}
      <Button variant="default" onClick={onReach ?? (() => void fetchNextPage())} loading={pending}>
        {failed ? commonTexts.retry : commonTexts.loadMore}
      </Button>
    </div>
  )
}
