import { ActionIcon, Loader } from '@mantine/core'
import { voiceTexts } from '@ovation/contract/texts/voice'
import { IconMicrophoneOff, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { formatLength } from '../lib/format/format-length.ts'
import { pauseOthers } from './pause-others.ts'
import classes from './voice-player.module.css'
import { useVoiceSpeed } from './voice-speed.ts'
import { levelsOf, Waveform } from './waveform.tsx'

const texts = voiceTexts

type Props = {
  /** Undefined while the link is on its way, and if there is none. */
  src: string | undefined
  pending?: boolean
  /** `"Voice message by Mara"` */
  label: string
  /** In seconds, if it is known before the file has loaded. */
  duration?: number | undefined
  waveform?: string | undefined
  /** Called while it plays, with seconds. */
  onProgress?: (at: number, duration: number) => void
}

/** Seconds that an arrow key moves, and Page Up and Page Down. */
const [step, leap] = [5, 30]

/** Plays a voice message: its waveform is the slider (INBOX-05). One plays at a time. Loads with the first voice message. */
export default function VoicePlayer({ src, pending = false, label, duration, waveform, onProgress }: Props) {
  const audio = useRef<HTMLAudioElement>(null)
  const [playing, setPlaying] = useState(false)
  const [waiting, setWaiting] = useState(false)
  const [failed, setFailed] = useState(false)
  const [at, setAt] = useState(0)
  const [loaded, setLoaded] = useState<number>()
  const [speed, nextSpeed] = useVoiceSpeed()
  const levels = useMemo(() => levelsOf(waveform), [waveform])
  const length = duration ?? loaded ?? 0

  useEffect(() => {
    if (audio.current) audio.current.playbackRate = speed
  }, [speed])

  // Four times a second is too coarse for a short message.
  useEffect(() => {
    if (!playing) return
    let frame = requestAnimationFrame(function follow() {
      if (audio.current) setAt(audio.current.currentTime)
      frame = requestAnimationFrame(follow)
    })
    return () => cancelAnimationFrame(frame)
  }, [playing])

  if (!src && !pending)
    return (
      <p className={classes.missing}>
        <IconMicrophoneOff size={20} stroke={1.6} aria-hidden="true" />
        {texts.notAvailable}
      </p>
    )

  const toggle = async () => {
    const element = audio.current
    if (!element) return
    if (!element.paused) return element.pause()
    if (failed) element.load()
    setFailed(false)
    element.playbackRate = speed
    try {
      await element.play()
    } catch (error) {
      // Paused again before it began.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setFailed(true)
    }
  }
  const seek = (seconds: number) => {
    const next = Math.min(Math.max(seconds, 0), length)
    if (audio.current) audio.current.currentTime = next
    setAt(next)
  }
  const keys: Record<string, () => void> = {
    ArrowRight: () => seek(at + step),
    ArrowUp: () => seek(at + step),
    ArrowLeft: () => seek(at - step),
    ArrowDown: () => seek(at - step),
    PageUp: () => seek(at + leap),
    PageDown: () => seek(at - leap),
    Home: () => seek(0),
    End: () => seek(length),
  }
  const handleKey = (event: KeyboardEvent) => {
    const move = keys[event.key]
    if (!move) return
    event.preventDefault()
    move()
  }
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId)
    else if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const { left, width } = event.currentTarget.getBoundingClientRect()
    seek(((event.clientX - left) / width) * length)
  }
  const stopped = () => {
    setPlaying(false)
    setWaiting(false)
  }

  return (
    <div className={classes.player}>
      {/* biome-ignore lint/a11y/useMediaCaption: a recording of a user, for which nobody has written captions */}
      <audio
        ref={audio}
        src={src}
        preload="none"
        onPlay={({ currentTarget }) => {
          pauseOthers(currentTarget)
          setPlaying(true)
          setWaiting(true)
        }}
        onPlaying={() => setWaiting(false)}
        onWaiting={() => setWaiting(true)}
        onPause={stopped}
        onTimeUpdate={({ currentTarget }) => onProgress?.(currentTarget.currentTime, currentTarget.duration)}
        onEnded={({ currentTarget }) => {
          stopped()
          onProgress?.(currentTarget.duration, currentTarget.duration)
          currentTarget.currentTime = 0
          setAt(0)
        }}
        onLoadedMetadata={({ currentTarget }) =>
          Number.isFinite(currentTarget.duration) && setLoaded(currentTarget.duration)
        }
        onError={() => {
          stopped()
          setFailed(true)
        }}
      />
      <ActionIcon
        variant="filled"
        size={40}
        radius="xl"
        className={classes.play}
        aria-label={playing ? texts.pause(label) : texts.play(label)}
        disabled={!src}
        onClick={() => void toggle()}
      >
        {playing && waiting ? (
          <Loader size={18} color="currentColor" aria-hidden="true" />
        ) : playing ? (
          <IconPlayerPauseFilled size={18} aria-hidden="true" />
        ) : (
          <IconPlayerPlayFilled size={18} aria-hidden="true" />
        )}
      </ActionIcon>
      <div className={classes.sound}>
        <div
          role="slider"
          tabIndex={0}
          className={classes.slider}
          aria-label={texts.position(label)}
          aria-valuemin={0}
          aria-valuemax={Math.round(length)}
          aria-valuenow={Math.round(at)}
          aria-valuetext={texts.at(clock(at), clock(length))}
          onKeyDown={handleKey}
          onPointerDown={drag}
          onPointerMove={drag}
        >
          <Waveform levels={levels} played={length > 0 ? at / length : 0} />
        </div>
        {failed ? (
          <span className={classes.failure} role="alert">
            {texts.playFailed}
          </span>
        ) : (
          <span className={classes.time} aria-hidden="true">
            {playing || at > 0 ? `${clock(at)} / ${clock(length)}` : clock(length)}
          </span>
        )}
      </div>
      <button
        type="button"
        className={classes.speed}
        aria-label={texts.speed(`${String(speed)}×`)}
        title={texts.speed(`${String(speed)}×`)}
        onClick={nextSpeed}
      >
        {`${String(speed)}×`}
      </button>
    </div>
  )
}

/** Unlike the length of a video, a position begins at 0:00. */
const clock = (seconds: number): string => (seconds < 0.5 ? '0:00' : formatLength(seconds))
