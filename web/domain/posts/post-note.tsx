import { postTexts } from '@ovation/contract/texts/posts'
import { IconNote } from '@tabler/icons-react'
import classes from './post-note.module.css'

/** An admin's note on a post (POST-13, D28). @param hidden only the post's owner and admins see it. */
export function PostNote({ note, hidden }: { note: string; hidden: boolean }) {
  return (
    <aside className={classes.note} aria-label={postTexts.note.banner}>
      <IconNote size={20} stroke={1.6} aria-hidden="true" />
      <div>
        <p className={classes.title}>{postTexts.note.banner}</p>
        <p className={classes.text} dir="auto">
          {note}
        </p>
        {hidden && <p className={classes.hint}>{postTexts.note.onlyYou}</p>}
      </div>
    </aside>
  )
}
