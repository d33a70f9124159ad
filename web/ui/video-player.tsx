import { videoTexts as texts } from '@ovation/contract/texts/video'
import {
  type ComponentProps,
  type ComponentType,
  type CSSProperties,
  type SyntheticEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { appConfig } from '../lib/api/config.ts'
import { videoPositions } from '../lib/media/video-positions.ts'
import { attachStream } from './attach-stream.ts'
import { BlurredPreview } from './blurred-preview.tsx'
import { pauseOthers } from './pause-others.ts'
import type { VideoControlsProps } from './video-controls.tsx'
import { VideoMark } from './video-mark.tsx'
import classes from './video-player.module.css'

export type Captions = { src: string; label: string; language: string }

type Props = {
  /** The uploaded file, which plays when there is no stream or when the stream fails. */
  src: string
  label: string
  /** The HLS stream, if it was made. */
  stream?: string | undefined
  poster?: string | undefined
  /** A ThumbHash in base64, which fills the frame beside a video of another shape. */
  preview?: string | undefined
  /** In seconds, if known before the video loads. */
  duration?: number | undefined
  captions?: Captions[] | undefined
  /** Stores the playback position under this key. */
  remember?: string
  className?: string
  style?: CSSProperties
  /** Plays as soon as it shows, because the viewer has just asked for it. */
  autoPlay?: boolean
  onStarted?: () => void
  /** Called while it plays, with seconds. */
  onProgress?: ((at: number, duration: number) => void) | undefined
  /** Called when the address stops playing. A new address then continues from the same position. */
  onFailed?: () => void
}

/** Within this distance of the start or the end, a video starts over. */
const edgeSeconds = 10

/**
 * The one player of the app (LOOP-12, POST-16): its poster, length, and a play button; once it plays, controls for mouse, touch, and
 * keyboard. Loads nothing until then, and then streams in the quality that the connection allows.
 */
export function VideoPlayer({
  src,
  label,
  stream,
  poster,
  preview,
  duration,
  captions = [],
  remember,
  className = '',
  style,
  autoPlay = false,
  onStarted,
  onProgress,
  onFailed,
}: Props) {
  const element = useRef<HTMLVideoElement>(null)
  const detach = useRef<() => void>(undefined)
  const failedAt = useRef<{ seconds: number; wasPlaying: boolean }>(undefined)
  const [started, setStarted] = useState(false)
  const [loaded, setLoaded] = useState<number>()
  const { Controls, native } = useControls(started)

  useEffect(() => () => detach.current?.(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is what it waits for
  useEffect(() => {
    // Don't fetch the new address until the viewer plays.
    if (failedAt.current?.wasPlaying) play()
  }, [src])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it appears
  useEffect(() => {
    if (autoPlay) play()
  }, [])

  /** Rejects when the browser wants a press first, or when the viewer pauses in between. */
  const play = () => void element.current?.play().catch(() => undefined)

  const begin = () => {
    // The button disappears: the keyboard's controls work from the video.
    element.current?.focus({ preventScroll: true })
    play()
  }
  const onPlay = ({ currentTarget }: SyntheticEvent<HTMLVideoElement>) => {
    setStarted(true)
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
    setLoaded(currentTarget.duration)
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
    onProgress?.(currentTime, duration)
    if (!remember || currentTime <= edgeSeconds) return
    if (currentTime > duration - edgeSeconds) videoPositions.forget(remember)
    else if (Math.abs(currentTime - remembered()) > 3) videoPositions.write(remember, currentTime.toFixed(1))
  }

  const player: ComponentProps<'video'> = {
    controls: native,
    playsInline: true,
    // The poster is enough; without one, load the first frame.
    preload: poster ? 'none' : 'metadata',
    // Focusable by script: keys pressed on it reach the controls.
    tabIndex: -1,
    // Captions of another origin need it.
    ...(appConfig().filesUrl && { crossOrigin: 'anonymous' }),
    onPlay,
    onLoadedMetadata: restorePosition,
    onTimeUpdate: note,
    onPause: note,
    onError,
  }
  return (
    <div className={`${classes.player} ${className}`} style={style}>
      {preview && <BlurredPreview preview={preview} />}
      {/* An unknown element until the controls' code defines it, in place: moving the video would stop it. */}
      <media-controller className={classes.controller}>
        <video
          ref={element}
          slot="media"
          src={src}
          poster={poster}
          className={classes.video}
          aria-label={label}
          {...player}
        >
          {captions.map(({ src: file, label: text, language }) => (
            <track key={file} kind="captions" src={file} label={text} srcLang={language} />
          ))}
        </video>
        {Controls && <Controls captions={captions.length > 0} />}
      </media-controller>
      {!started && (
        <button type="button" className={classes.start} aria-label={texts.play(label)} onClick={begin}>
          <VideoMark duration={duration ?? loaded} />
        </button>
      )}
    </div>
  )
}

/** The controls, which load when a video is first played. If they can't, the browser's own take their place. */
function useControls(needed: boolean) {
  const [loaded, setLoaded] = useState<{ Controls: ComponentType<VideoControlsProps> }>()
  const [native, setNative] = useState(false)
  useEffect(() => {
    if (!needed) return
    let left = false
    import('./video-controls.tsx').then(
      ({ default: Controls }) => !left && setLoaded({ Controls }),
      () => !left && setNative(true),
    )
    return () => {
      left = true
    }
  }, [needed])
  return { Controls: loaded?.Controls, native }
}
