import { Button } from '@mantine/core'
import { sessionTexts } from '@ovation/contract/texts/private-sessions'
import { IconArrowsTransferUp, IconPhoneOff, IconPlugConnectedX } from '@tabler/icons-react'
import { useState } from 'react'
import type { Booking } from '../../../domain/private-sessions/booking-queries.ts'
import { useKeptFocus } from '../../../ui/use-kept-focus.ts'
import classes from './call.module.css'
import { Closed } from './closed.tsx'
import { InCall } from './in-call.tsx'
import { Lobby } from './lobby.tsx'
import { useMedia } from './use-media.ts'

const texts = sessionTexts.call
const icon = { size: 26, stroke: 1.5 }

type Props = { booking: Booking; viewerId: string; otherId: string; name: string }

type Phase = 'lobby' | 'call' | 'left' | 'moved' | 'failed'

/** The phases of a call, from the lobby to its end, and back. The button of a phase disappears with it: the focus stays here. */
export default function OpenCall(props: Props) {
  const [phase, setPhase] = useState<Phase>('lobby')
  return (
    <div {...useKeptFocus()} className={classes.open}>
      <Phases {...props} phase={phase} onPhase={setPhase} />
    </div>
  )
}

type PhaseProps = Props & { phase: Phase; onPhase: (phase: Phase) => void }

function Phases({ phase, onPhase: setPhase, ...props }: PhaseProps) {
  const join = () => setPhase('call')
  if (phase === 'lobby' || phase === 'call') return <BeforeTheCamera {...props} phase={phase} onPhase={setPhase} />
  if (phase === 'failed')
    return (
      <Closed
        icon={<IconPlugConnectedX {...icon} />}
        {...texts.failed}
        action={<Button onClick={join}>{sessionTexts.retry}</Button>}
      />
    )
  const { title, message, action } = phase === 'moved' ? texts.moved : texts.ended
  return (
    <Closed
      icon={phase === 'moved' ? <IconArrowsTransferUp {...icon} /> : <IconPhoneOff {...icon} />}
      title={title}
      message={message}
      action={<Button onClick={() => setPhase('lobby')}>{action}</Button>}
    />
  )
}

/** Releases camera and microphone on unmount, so that nobody is filmed after hanging up. */
function BeforeTheCamera({ phase, onPhase, ...call }: PhaseProps) {
  const media = useMedia()
  if (phase === 'lobby') return <Lobby media={media} name={call.name} onJoin={() => onPhase('call')} />
  return (
    <InCall
      {...call}
      media={media}
      onLeave={() => onPhase('left')}
      onMoved={() => onPhase('moved')}
      onFailed={() => onPhase('failed')}
    />
  )
}
