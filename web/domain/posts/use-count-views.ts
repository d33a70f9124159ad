import { type RefObject, useEffect } from 'react'
import { supabase } from '../../lib/api/supabase.ts'
import { observeIntersection } from '../../lib/browser/observe-intersection.ts'

/** A post counts as viewed once half of it, or a screenful, has been in view for this long. */
const viewMs = 1_000
/** Views are sent in batches, so that scrolling doesn't send a request for each post. */
const batchMs = 4_000
const batchSize = 100

const reported = new Set<string>()
const queue: string[] = []
let waiting = false

function enqueue(id: string): void {
  if (reported.has(id)) return
  reported.add(id)
  queue.push(id)
  if (waiting) return
  waiting = true
  setTimeout(sendBatch, batchMs)
}

/** Sends a batch. Errors are ignored; the server counts a post once a day for each user. */
function sendBatch(): void {
  waiting = false
  const ids = queue.splice(0, batchSize)
  void supabase.rpc('record_post_views', { post_ids: ids }).then(() => undefined)
  if (queue.length === 0) return
  waiting = true
  setTimeout(sendBatch, batchMs)
}

/** Reports to the server that the viewer has seen a post (D7, DASH-14). */
export function useSeen(element: RefObject<HTMLElement | null>, postId: string, counts: boolean): void {
  useEffect(() => {
    const card = element.current
    if (!card || !counts || reported.has(postId)) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = observeIntersection(card, '-25% 0px', ({ isIntersecting }) => {
      clearTimeout(timer)
      if (!isIntersecting) return
      timer = setTimeout(() => {
        enqueue(postId)
        stop()
      }, viewMs)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [element, postId, counts])
}
