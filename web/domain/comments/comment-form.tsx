import { Button, Textarea } from '@mantine/core'
import { commentMaxLength } from '@ovation/contract/limits'
import { commentTexts } from '@ovation/contract/texts/comments'
import { type FormEvent, type KeyboardEvent, useRef } from 'react'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import classes from './comments.module.css'

type Props = {
  viewer: Viewer
  text: string
  onText: (text: string) => void
  onSubmit: (content: string) => void
}

/** Rejects blank comments (POST-56). Enter starts a new line; Control or Command with Enter posts. */
export function CommentForm({ viewer, text, onText, onSubmit }: Props) {
  const box = useRef<HTMLTextAreaElement>(null)
  const content = text.trim()
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (content) onSubmit(content)
  }
  const submitByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    submit()
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <ProfileAvatar name={viewer.displayName || viewer.username || ''} src={viewer.avatarUrl} size={36} />
      <Textarea
        ref={box}
        classNames={{ root: classes.box, input: classes.text }}
        aria-label={commentTexts.label}
        placeholder={commentTexts.placeholder}
        rows={2}
        maxLength={commentMaxLength}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={submitByKey}
        name="comment"
        dir="auto"
      />
      {/* Returns the focus to the empty field after a keyboard click. On touch screens, the keyboard stays closed. */}
      <Button
        type="submit"
        variant="default"
        disabled={!content}
        onClick={({ detail }) => detail === 0 && box.current?.focus()}
      >
        {commentTexts.submit}
      </Button>
    </form>
  )
}
