import { Button } from '@mantine/core'
import { sessionTexts } from '@ovation/contract/texts/sessions'
import { IconArrowsTransferUp, IconPhoneOff, IconPlugConnectedX } from '@tabler/icons-react'
import { useState } from 'react'
import type { Booking } from '../queries.ts'
import { Closed } from './closed.tsx'
import { InCall } from './in-call.tsx'
import { Lobby } from './lobby.tsx'
import { useMedia } from './use-media.ts'

const texts = sessionTexts.call
const icon = { size: 26, stroke: 1.5 }

type Props = { booking: Booking; viewerId: string; otherId: string; name: string }

/** From the look in the mirror to the end of the call, and back. */
export default function OpenCall(props: Props) {
  const media = useMedia()
  const [phase, setPhase] = useState<'lobby' | 'call' | 'left' | 'moved' | 'failed'>('lobby')
  const join = () => setPhase('call')
  if (phase === 'lobby') return <Lobby media={media} name={props.name} onJoin={join} />
  if (phase === 'call')
    return (
      <InCall
        {...props}
        media={media}
        onLeave={() => setPhase('left')}
        onMoved={() => setPhase('moved')}
        onFailed={() => setPhase('failed')}
      />
    )
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
