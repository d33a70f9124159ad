import { messageTexts } from '@ovation/contract/texts/messages'
import type { Message } from '../../domain/messages/queries.ts'
import classes from './reactions.module.css'
import { reactionOf, useReact } from './use-react.ts'

const texts = messageTexts.react

type Props = { message: Message; mine: boolean; name: string; canReact: boolean }

/** The reactions to a message, below it. Pressing one makes it the viewer's own, or removes it. Loads with the first one. */
export default function MessageReactions({ message, mine, name, canReact }: Props) {
  const react = useReact(message, mine)
  const own = reactionOf(message, mine)
  const theirs = reactionOf(message, !mine)
  const shown = [...new Set([theirs, own])].filter((emoji) => typeof emoji === 'string')
  return (
    <div className={classes.reactions}>
      {shown.map((emoji) => {
        const who = emoji !== own ? name : emoji === theirs ? texts.both(name) : messageTexts.yourself
        const face = (
          <>
            <span aria-hidden="true">{emoji}</span>
            {own === theirs && <span aria-hidden="true">2</span>}
          </>
        )
        const label = texts.by(emoji, who)
        return canReact ? (
          <button
            key={emoji}
            type="button"
            className={`reach ${classes.reaction}`}
            aria-pressed={emoji === own}
            aria-label={label}
            title={label}
            onClick={() => react(emoji)}
          >
            {face}
          </button>
        ) : (
          <span key={emoji} className={classes.reaction} role="img" aria-label={label}>
            {face}
          </span>
        )
      })}
    </div>
  )
}
