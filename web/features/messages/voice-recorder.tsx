import { ActionIcon, Button } from '@mantine/core'
import { voiceMaxSeconds } from '@ovation/contract/limits'
import { voiceTexts } from '@ovation/contract/texts/voice'
import { IconMicrophoneOff, IconPlayerStopFilled, IconTrash } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLeavingWarning } from '../../lib/browser/use-leaving-warning.ts'
import { formatLength } from '../../lib/format/format-length.ts'
import { pauseOthers } from '../../ui/pause-others.ts'
import { toast } from '../../ui/toast.ts'
import { Waveform } from '../../ui/waveform.tsx'
import {
  CannotRecord,
  type Recording,
  type RecordingTrouble,
  recordVoice,
  type VoiceRecording,
} from './record-voice.ts'
import classes from './voice-recorder.module.css'

const texts = voiceTexts.record

/** From here on, the time that is left shows. */
const almostOverSeconds = 30
/** How much of the recording the moving waveform shows: ten levels a second. */
const shownLevels = 40

type Props = {
  /** The recording, also if the user leaves the screen meanwhile. */
  onRecorded: (recording: Recording) => void
  /** Without a recording. */
  onClose: () => void
}

/** Records a voice message in place of the message field: it begins at once, and ends at the button or after five minutes (INBOX-05). */
export default function VoiceRecorder({ onRecorded, onClose }: Props) {
  const recording = useRef<VoiceRecording>(undefined)
  const fate = useRef<'keep' | 'delete'>('keep')
  const [trouble, setTrouble] = useState<RecordingTrouble>()
  const [progress, setProgress] = useState<{ seconds: number; levels: readonly number[] }>()
  const [attempt, setAttempt] = useState(0)
  const running = progress !== undefined && !trouble
  const group = useRef<HTMLDivElement>(null)
  const stop = useRef<HTMLButtonElement>(null)
  // The button that began it is gone. Pressing the same key again ends it.
  useEffect(() => {
    if (running) stop.current?.focus()
    else group.current?.focus()
  }, [running])
  useLeavingWarning(running)

  const finished = useEffectEvent((made: Recording | null) => {
    if (fate.current === 'delete') {
      if (made) toast.undo(texts.canceled, () => onRecorded(made))
      return
    }
    if (!made) {
      toast.error(texts.empty)
      return onClose()
    }
    if (made.duration >= voiceMaxSeconds) toast.info(texts.full)
    onRecorded(made)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt begins again
  useEffect(() => {
    let left = false
    pauseOthers()
    recordVoice().then(
      (begun) => {
        if (left) return begun.stop()
        recording.current = begun
        setProgress({ seconds: 0, levels: [] })
        begun.onProgress(({ seconds, levels }) => !left && setProgress({ seconds, levels: [...levels] }))
        void begun.result.then(finished)
      },
      (error: unknown) => !left && setTrouble(error instanceof CannotRecord ? error.trouble : 'missing'),
    )
    return () => {
      left = true
      recording.current?.stop()
    }
  }, [attempt])

  if (trouble)
    return (
      <div className={classes.trouble} role="alert">
        <IconMicrophoneOff size={22} stroke={1.6} aria-hidden="true" />
        <p>{texts.trouble[trouble]}</p>
        <div className={classes.actions}>
          {trouble !== 'unsupported' && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                setTrouble(undefined)
                setAttempt(attempt + 1)
              }}
            >
              {texts.retry}
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" color="gray" onClick={onClose} autoFocus>
            {texts.close}
          </Button>
        </div>
      </div>
    )

  const left = Math.ceil(voiceMaxSeconds - (progress?.seconds ?? 0))
  const shown = progress?.levels.slice(-shownLevels) ?? []
  const cancel = () => {
    fate.current = 'delete'
    recording.current?.stop()
    onClose()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has the look of one
    <div className={classes.recorder} role="group" aria-label={texts.group} ref={group} tabIndex={-1}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        radius="xl"
        aria-label={texts.cancel}
        title={texts.cancel}
        onClick={cancel}
      >
        <IconTrash size={22} stroke={1.6} />
      </ActionIcon>
      <span className="visually-hidden" role="status">
        {running ? (left <= almostOverSeconds ? texts.almostOver(almostOverSeconds) : texts.recording) : texts.starting}
      </span>
      {running ? (
        <span className={classes.live} aria-hidden="true">
          <span className={classes.dot} />
          <span className={classes.time}>{progress.seconds < 0.5 ? '0:00' : formatLength(progress.seconds)}</span>
          <span className={classes.wave}>
            <Waveform levels={[...Array<number>(shownLevels - shown.length).fill(0), ...shown]} played={1} />
          </span>
          {left <= almostOverSeconds && <span className={classes.left}>{texts.almostOver(left)}</span>}
        </span>
      ) : (
        <span className={classes.live} aria-hidden="true">
          {texts.starting}
        </span>
      )}
      <Button
        ref={stop}
        className={`compact ${classes.stop}`}
        radius="xl"
        disabled={!running}
        aria-label={texts.stop}
        title={texts.stop}
        leftSection={<IconPlayerStopFilled size={18} />}
        onClick={() => recording.current?.stop()}
      >
        {texts.stop}
      </Button>
    </div>
  )
}
