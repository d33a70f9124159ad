import { Button, Group } from '@mantine/core'
import { messageTexts } from '@ovation/contract/texts/messages'
import { IconAlertCircle, IconVideo } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import type { Outgoing } from '../../domain/messages/use-send.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import classes from './message-bubble.module.css'

const QuotedMessage = lazy(() => import('./quoted-message.tsx'))
const VoicePlayer = lazy(() => import('../../ui/voice-player.tsx'))

const noLinks = new Map<string, string>()

type Props = { entry: Outgoing /** The other user's name. */; name: string; onRetry: () => void; onDiscard: () => void }

/** An unsent message: sending, waiting for the connection, or rejected (MSG-15). */
export function OutgoingBubble({ entry: { draft, state, reason }, name, onRetry, onDiscard }: Props) {
  const files = draft.previews.map((preview, index) => ({
    preview,
    type: draft.media_types[index],
    about: draft.about[index],
  }))
  const shown = files.filter(({ type }) => type !== 'audio')
  return (
    <li className={classes.message} data-mine data-last data-state={state}>
      <span className="visually-hidden">{messageTexts.mine}</span>
      <div className={classes.bubble} data-files={draft.previews.length > 0}>
        {draft.price > 0 && <span className={classes.paid}>{messageTexts.paid(formatCents(draft.price))}</span>}
        {draft.quote && (
          <Suspense fallback={<div className={classes.quotePlace} />}>
            <QuotedMessage quote={draft.quote} viewerId={draft.sender_id} name={name} links={noLinks} />
          </Suspense>
        )}
        {shown.length > 0 && (
          <div className={`${classes.media} ${classes.outgoing}`} data-count={Math.min(shown.length, 2)}>
            {shown.map(({ preview, type }) =>
              type === 'image' ? (
                <img key={preview} src={preview || undefined} alt={messageTexts.photo} className={classes.tile} />
              ) : (
                <span
                  key={preview}
                  className={`${classes.tile} ${classes.videoTile}`}
                  role="img"
                  aria-label={messageTexts.video}
                >
                  <IconVideo size={28} stroke={1.4} aria-hidden="true" />
                </span>
              ),
            )}
          </div>
        )}
        {files
          .filter(({ type }) => type === 'audio')
          .map(({ preview, about }) => (
            <div key={preview} className={classes.voice}>
              <Suspense>
                <VoicePlayer
                  src={preview || undefined}
                  pending
                  label={messageTexts.voiceBy(messageTexts.yourself)}
                  duration={about?.duration}
                  waveform={about?.waveform}
                />
              </Suspense>
            </div>
          ))}
        {draft.content && (
          <p className={classes.text} dir="auto">
            <LinkedText text={draft.content} />
          </p>
        )}
      </div>
      {state === 'failed' ? (
        <div className={classes.failed} role="alert">
          <span className={classes.failure}>
            <IconAlertCircle size={17} aria-hidden="true" />
            {messageTexts.sendFailed}
            {reason && `: ${reason}`}
          </span>
          <Group gap={4}>
            <Button size="compact-sm" variant="subtle" onClick={onRetry}>
              {messageTexts.retry}
            </Button>
            <Button size="compact-sm" variant="subtle" color="gray" onClick={onDiscard}>
              {messageTexts.discard}
            </Button>
          </Group>
        </div>
      ) : (
        <span className={classes.time}>{messageTexts.state[state]}</span>
      )}
    </li>
  )
}
