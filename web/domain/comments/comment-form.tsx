import { Button } from '@mantine/core'
import { commentMaxLength } from '@ovation/contract/limits'
import { commentTexts } from '@ovation/contract/texts/comments'
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { NamesTextarea } from '../names/names-textarea.tsx'
import classes from './comments.module.css'

type Props = {
  viewer: Viewer
  postId: string
  text: string
  onText: (text: string) => void
  onSubmit: (content: string) => void
  /** Set for a reply: who is replied to, and what closes the form. */
  reply?: { name: string; onCancel: () => void }
}

/** Rejects blank comments (POST-56). Enter starts a new line; Control or Command with Enter posts. */
export function CommentForm({ viewer, postId, text, onText, onSubmit, reply }: Props) {
  const box = useRef<HTMLTextAreaElement>(null)
  const isReply = reply !== undefined
  useEffect(() => {
    if (isReply) box.current?.focus()
  }, [isReply])
  const content = text.trim()
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (content) onSubmit(content)
  }
  const press = (event: KeyboardEvent) => {
    if (reply && event.key === 'Escape') return reply.onCancel()
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    submit()
  }
  return (
    <form className={classes.form} data-reply={isReply} onSubmit={submit}>
      {!reply && <ProfileAvatar name={viewer.displayName || viewer.username || ''} src={viewer.avatarUrl} size={36} />}
      <NamesTextarea
        ref={box}
        classNames={{ root: classes.box, input: classes.text }}
        aria-label={reply ? commentTexts.replyTo(reply.name) : commentTexts.label}
        placeholder={reply ? commentTexts.replyPlaceholder(reply.name) : commentTexts.placeholder}
        rows={reply ? 1 : 2}
        maxLength={commentMaxLength}
        value={text}
        onText={onText}
        postId={postId}
        onKeyDown={press}
        name={reply ? 'reply' : 'comment'}
        dir="auto"
      />
      {reply && (
        <Button variant="subtle" color="gray" px="xs" onClick={reply.onCancel}>
          {commentTexts.cancelReply}
        </Button>
      )}
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
