import { type ComponentProps, type SyntheticEvent, useEffect, useRef } from 'react'
import { videoPositions } from '../lib/media/video-positions.ts'
import { attachStream } from './attach-stream.ts'

export type Captions = { src: string; label: string; language: string }

type Props = {
  /** The video as it was uploaded: what plays where there are no streams, or where they fail. */
  src: string
  label: string
  /** HLS, where it has been made. */
  stream?: string | undefined
  poster?: string | undefined
  captions?: Captions[] | undefined
  /** Remembers where the viewer stopped, under this name. */
  remember?: string
  className?: string
  onStarted?: () => void
  /** The address does not play, or not any further. Another one that is given then goes on from there. */
  onFailed?: () => void
}

/** Nearer to the start or the end than this, a video begins anew. */
const edgeSeconds = 10

/**
 * The browser's own player: keyboard, captions, full screen and picture in picture come with it (POST-16). Nothing of the video is
 * fetched before somebody plays it; then it streams in the quality that the line carries.
 */
export function VideoPlayer({
  src,
  label,
  stream,
  poster,
  captions = [],
  remember,
  className,
  onStarted,
  onFailed,
}: Props) {
  const element = useRef<HTMLVideoElement>(null)
  const detach = useRef<() => void>(undefined)
  const failedAt = useRef<{ seconds: number; wasPlaying: boolean }>(undefined)

  useEffect(() => () => detach.current?.(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is what it waits for
  useEffect(() => {
    // Without a wish to play nothing of the new address is fetched.
    if (failedAt.current?.wasPlaying) void element.current?.play().catch(() => undefined)
  }, [src])

  const onPlay = ({ currentTarget }: SyntheticEvent<HTMLVideoElement>) => {
    onStarted?.()
    pauseOthers(currentTarget)
    if (stream && !detach.current) detach.current = attachStream(currentTarget, stream, src)
  }
  const remembered = () => Number((remember && videoPositions.read(remember)) || 0)
  const onError = ({ currentTarget }: SyntheticEvent<HTMLVideoElement>) => {
    failedAt.current = { seconds: currentTarget.currentTime, wasPlaying: !currentTarget.paused }
    detach.current?.()
    detach.current = undefined
    onFailed?.()
  }
  const goBackTo = ({ currentTarget }: SyntheticEvent<HTMLVideoElement>) => {
    if (failedAt.current) {
      const { seconds } = failedAt.current
      failedAt.current = undefined
      if (seconds > 0) currentTarget.currentTime = seconds
      return
    }
    const seconds = remembered()
    if (seconds > edgeSeconds && seconds < currentTarget.duration - edgeSeconds && currentTarget.currentTime < 1)
      currentTarget.currentTime = seconds
  }
  const note = ({ currentTarget }: SyntheticEvent<HTMLVideoElement>) => {
    const { currentTime, duration } = currentTarget
    if (!remember || currentTime <= edgeSeconds) return
    if (currentTime > duration - edgeSeconds) videoPositions.forget(remember)
    else if (Math.abs(currentTime - remembered()) > 3) videoPositions.write(remember, currentTime.toFixed(1))
  }

  const player: ComponentProps<'video'> = {
    controls: true,
    playsInline: true,
    // With a poster there is something to see; without one the first picture has to come.
    preload: poster ? 'none' : 'metadata',
    onPlay,
    onLoadedMetadata: goBackTo,
    onTimeUpdate: note,
    onPause: note,
    onError,
  }
  return (
    <video ref={element} src={src} poster={poster} className={className} aria-label={label} {...player}>
      {captions.map(({ src: file, label: words, language }) => (
        <track key={file} kind="captions" src={file} label={words} srcLang={language} />
      ))}
    </video>
  )
}

/** One video plays at a time. */
function pauseOthers(playing: HTMLVideoElement): void {
  for (const video of document.querySelectorAll('video')) if (video !== playing) video.pause()
}
