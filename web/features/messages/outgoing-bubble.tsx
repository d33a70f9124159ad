import { Button, Group } from '@mantine/core'
import { messageTexts } from '@ovation/contract/texts/messages'
import { IconAlertCircle, IconVideo } from '@tabler/icons-react'
import type { Outgoing } from '../../domain/messages/use-send.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import classes from './message-bubble.module.css'

type Props = { entry: Outgoing; onRetry: () => void; onDiscard: () => void }

/** An unsent message: sending, waiting for the connection, or rejected (MSG-15). */
export function OutgoingBubble({ entry: { draft, state, reason }, onRetry, onDiscard }: Props) {
  return (
    <li className={classes.message} data-mine data-last data-state={state}>
      <span className="visually-hidden">{messageTexts.mine}</span>
      <div className={classes.bubble} data-files={draft.previews.length > 0}>
        {draft.price > 0 && <span className={classes.paid}>{messageTexts.paid(formatCents(draft.price))}</span>}
        {draft.previews.length > 0 && (
          <div className={`${classes.media} ${classes.outgoing}`} data-count={Math.min(draft.previews.length, 2)}>
            {draft.previews.map((preview, index) =>
              draft.media_types[index] === 'image' ? (
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
