import { Loader, Text } from '@mantine/core'
import { sessionTexts } from '@ovation/contract/texts/private-sessions'
import { IconMicrophoneOff, IconUserOff } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useMemo } from 'react'
import type { Booking } from '../../../domain/private-sessions/booking-queries.ts'
import { clockOf } from '../../../domain/private-sessions/times.ts'
import { useNow } from '../../../lib/browser/use-now.ts'
import classes from './call.module.css'
import { CallControls } from './call-controls.tsx'
import { StreamVideo } from './stream-video.tsx'
import { type CallState, useCall } from './use-call.ts'
import type { Media } from './use-media.ts'

const texts = sessionTexts.call

type Props = {
  booking: Booking
  viewerId: string
  otherId: string
  name: string
  media: Media
  onLeave: () => void
  onMoved: () => void
  onFailed: () => void
}

/** The call. Unmounting ends it. */
export function InCall({ booking, viewerId, otherId, name, media, onLeave, onMoved, onFailed }: Props) {
  const call = useCall({ bookingId: booking.id, viewerId, otherId, tracks: media.tracks })
  const own = useMemo(() => (media.tracks.video ? new MediaStream([media.tracks.video]) : null), [media.tracks.video])
  const ended = useEffectEvent((state: CallState) => {
    if (state === 'moved') onMoved()
    if (state === 'failed') onFailed()
  })
  useEffect(() => ended(call.state), [call.state])

  const isTalking = call.state === 'connected'
  return (
    <section aria-label={texts.title} className={classes.live}>
      <div className={classes.stage} data-live>
        <StreamVideo stream={call.remote} label={texts.pictureOf(name)} className={classes.picture} />
        {!(isTalking && call.shown.camera) && (
          <div className={classes.blank}>
            {isTalking ? <IconUserOff size={36} stroke={1.5} aria-hidden="true" /> : <Loader color="gray.4" />}
            <Text fw={550}>{isTalking ? texts.cameraOff(name) : statusText(call.state, name)}</Text>
            {call.state === 'waiting' && <Text size="sm">{texts.waitingHint}</Text>}
            {call.unreachable && <Text size="sm">{texts.unreachable}</Text>}
          </div>
        )}
        {isTalking && !call.shown.microphone && (
          <span className={classes.mark}>
            <IconMicrophoneOff size={16} aria-hidden="true" /> {texts.microphoneOff(name)}
          </span>
        )}
        <TimeLeft booking={booking} />
        <div className={classes.own}>
          {own ? (
            <StreamVideo stream={own} own label={texts.yourPicture} className={classes.picture} />
          ) : (
            <span className={classes.ownBlank}>{texts.noPicture}</span>
          )}
        </div>
        <CallControls
          media={media}
          onLeave={() => {
            call.hangUp()
            onLeave()
          }}
        />
      </div>
      <p role="status" className="visually-hidden">
        {statusText(call.state, name)}
      </p>
    </section>
  )
}

function statusText(state: CallState, name: string): string {
  if (state === 'connected') return texts.connected(name)
  if (state === 'reconnecting') return texts.reconnecting
  if (state === 'connecting') return texts.connecting(name)
  return state === 'waiting' ? texts.waiting(name) : texts.joining
}

function TimeLeft({ booking }: { booking: Booking }) {
  const now = useNow(1_000)
  const [start, end] = [Date.parse(booking.starts_at), Date.parse(booking.ends_at)]
  const remaining =
    now < start
      ? texts.startsIn(clockOf(start - now))
      : now < end
        ? texts.remaining(clockOf(end - now))
        : texts.overtime
  return <span className={classes.clock}>{remaining}</span>
}
