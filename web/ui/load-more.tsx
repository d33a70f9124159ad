import { Button, Text } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import classes from './load-more.module.css'

type Props = {
  /** The query whose next page it loads. Without a next page it shows nothing. */
  of: Pick<
    UseInfiniteQueryResult<unknown>,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >
  failure: string
  /** Replaces loading the next page on a click. */
  onReach?: () => void
  /** For a nested list: if it grew by itself, the viewer would never reach the end of the outer one. */
  onClickOnly?: boolean
}

/** Loads the next page before the end of a list comes into view, or on a click if that failed. */
export function LoadMore({ of: query, failure, onReach, onClickOnly = false }: Props) {
  const { hasNextPage: more, isFetchingNextPage: pending, isFetchNextPageError: failed, fetchNextPage } = query
  const end = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = end.current
    // After a failure the user decides: automatic retries would never end.
    if (!element || !more || pending || failed || onClickOnly) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && void fetchNextPage(),
      { rootMargin: '800px 0px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [fetchNextPage, more, pending, failed, onClickOnly])

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
