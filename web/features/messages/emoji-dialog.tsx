import { messageTexts } from '@ovation/contract/texts/messages'
import { Dialog } from '../../ui/dialog.tsx'
import classes from './reactions.module.css'

const texts = messageTexts.react
/** Faces, gestures, hearts, and things. The server takes any emoji. */
const emojis = [
  ...[
    '😀',
    '😂',
    '🥹',
    '😊',
    '😍',
    '😘',
    '🥰',
    '😎',
    '🤩',
    '🥳',
    '😏',
    '😅',
    '🙃',
    '😮',
    '😳',
    '🤔',
    '😢',
    '😭',
    '😡',
    '😴',
  ],
  ...['👍', '👎', '👏', '🙌', '🙏', '💪', '👀', '🤝', '👋', '🫶', '🤗', '🫡'],
  ...['❤️', '🧡', '💛', '💚', '💙', '💜', '🖤', '🤍', '💔', '💋', '💯', '🔥'],
  ...['✨', '🎉', '🎂', '🎁', '🏆', '⭐', '🌹', '☀️', '🌈', '☕', '🍾', '🎵'],
]

type Props = { chosen: string | null; onChoose: (emoji: string) => void; onClose: () => void }

/** More reactions than the usual ones. Loads when it opens. */
export default function EmojiDialog({ chosen, onChoose, onClose }: Props) {
  return (
    <Dialog title={texts.title} onClose={onClose} size="sm">
      <div className={classes.grid}>
        {emojis.map((emoji) => (
          <button
            key={emoji}
            type="button"
            className={classes.item}
            aria-label={texts.with(emoji)}
            aria-pressed={emoji === chosen}
            onClick={() => {
              onChoose(emoji)
              onClose()
            }}
          >
            {emoji}
          </button>
        ))}
      </div>
    </Dialog>
  )
}
