import { storyPhotoSeconds } from '@ovation/contract/limits'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

type Options = {
  /** Each story starts over. */
  storyId: string
  running: boolean
  /** The video of the story, whose time it follows; a photo has none. */
  video: RefObject<HTMLVideoElement | null>
  /** The bar that fills. */
  bar: RefObject<HTMLElement | null>
  onEnd: () => void
}

/** Fills a story's bar while it runs, and ends a photo after its time; a video ends by itself. */
export function useStoryProgress({ storyId, running, video, bar, onEnd }: Options): void {
  const elapsed = useRef({ storyId, ms: 0 })
  const end = useEffectEvent(onEnd)

  useEffect(() => {
    if (elapsed.current.storyId !== storyId) elapsed.current = { storyId, ms: 0 }
    if (!running) return
    let before = performance.now()
    let frame = 0
    const draw = (now: number) => {
      const { current: player } = video
      elapsed.current.ms += now - before
      before = now
      const share = player
        ? player.currentTime / (player.duration || Number.POSITIVE_INFINITY)
        : elapsed.current.ms / (storyPhotoSeconds * 1000)
      // Not state: it changes sixty times a second.
      bar.current?.style.setProperty('--done', String(Math.min(1, share)))
      if (!player && share >= 1) return end()
      frame = requestAnimationFrame(draw)
    }
    frame = requestAnimationFrame(draw)
    return () => cancelAnimationFrame(frame)
  }, [storyId, running, video, bar])
}
