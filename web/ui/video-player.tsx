import { type ComponentProps, type SyntheticEvent, useEffect, useRef } from 'react'
import { videoPositions } from '../lib/media/video-positions.ts'
import { attachStream } from './attach-stream.ts'

export type Captions = { src: string; label: string; language: string }

type Props = {
  /** The uploaded file, which plays when there is no stream or when the stream fails. */
  src: string
  label: string
  /** The HLS stream, if it was made. */
  stream?: string | undefined
  poster?: string | undefined
  captions?: Captions[] | undefined
  /** Stores the playback position under this key. */
  remember?: string
  className?: string
  onStarted?: () => void
  /** Called when the address stops playing. A new address then continues from the same position. */
  onFailed?: () => void
}

/** Within this distance of the start or the end, a video starts over. */
const edgeSeconds = 10

/**
 * The browser's own player, with its keyboard controls, captions, full screen, and picture-in-picture (POST-16). Loads nothing until it
 * is played, then streams in the quality that the connection allows.
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
    // Don't fetch the new address until the viewer plays.
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
  const restorePosition = ({ currentTarget }: SyntheticEvent<HTMLVideoElement>) => {
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
    // The poster is enough; without one, load the first frame.
    preload: poster ? 'none' : 'metadata',
    onPlay,
    onLoadedMetadata: restorePosition,
    onTimeUpdate: note,
    onPause: note,
    onError,
  }
  return (
    <video ref={element} src={src} poster={poster} className={className} aria-label={label} {...player}>
      {captions.map(({ src: file, label: text, language }) => (
        <track key={file} kind="captions" src={file} label={text} srcLang={language} />
      ))}
    </video>
  )
}

/** Pauses the other videos. */
function pauseOthers(playing: HTMLVideoElement): void {
  for (const video of document.querySelectorAll('video')) if (video !== playing) video.pause()
}
