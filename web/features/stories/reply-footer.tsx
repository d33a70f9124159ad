import { messageMaxLength } from '@ovation/contract/limits'
import { storyTexts } from '@ovation/contract/texts/stories'
import { IconGift, IconSend } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useAskToSignIn } from '../../domain/accounts/use-ask-to-sign-in.ts'
import { messagesKey } from '../../domain/messages/unread.ts'
import type { Story, StoryCreator } from '../../domain/stories/queries.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { uniqueViolation } from '../../lib/api/sqlstate.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { nameOf, useViewer } from '../../lib/auth/viewer.ts'
import { useDraftText } from '../../lib/forms/use-draft-text.ts'
import { toast } from '../../ui/toast.ts'
import type { StoryDialog } from './story-dialogs.tsx'
import classes from './story-player.module.css'

const texts = storyTexts.reply

type Props = {
  creator: StoryCreator
  story: Story
  /** The story waits while the viewer writes. */
  onTyping: (typing: boolean) => void
  onOpen: (dialog: StoryDialog) => void
}

/** Answers a story with a message, or tips its creator (STORY-02). Visitors sign in first. */
export function ReplyFooter({ creator, story, onTyping, onOpen }: Props) {
  const viewer = useViewer()
  const askToSignIn = useAskToSignIn()
  const queryClient = useQueryClient()
  const [text, setText] = useDraftText(`story-reply:${story.id}`)
  const field = useRef<HTMLInputElement>(null)
  // The client creates the id, so that a retry after a lost response doesn't send it twice.
  const id = useRef(crypto.randomUUID())
  const name = nameOf(creator)
  const send = useMutation({
    mutationFn: async (content: string) => {
      if (!viewer) return
      const { error } = await supabase.from('messages').insert({
        id: id.current,
        sender_id: viewer.profileId,
        recipient_id: creator.id,
        content,
        story_id: story.id,
      })
      if (error && error.code !== uniqueViolation) throw error
    },
    onSuccess: () => {
      id.current = crypto.randomUUID()
      setText('')
      toast.success(texts.sent)
      field.current?.blur()
      void queryClient.invalidateQueries({ queryKey: messagesKey })
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.failed),
  })
  return (
    <form
      className={classes.reply}
      onSubmit={(event) => {
        event.preventDefault()
        const content = text.trim()
        if (content && !send.isPending) send.mutate(content)
      }}
    >
      <input
        ref={field}
        className={classes.field}
        aria-label={texts.label(name)}
        placeholder={texts.label(name)}
        maxLength={messageMaxLength}
        value={text}
        dir="auto"
        enterKeyHint="send"
        autoComplete="off"
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onFocus={() => (viewer === null ? askToSignIn() : onTyping(true))}
        onBlur={() => onTyping(false)}
      />
      {text.trim() === '' ? (
        <button
          type="button"
          className={classes.control}
          aria-label={texts.tip}
          title={texts.tip}
          onClick={() => (viewer === null ? askToSignIn({ kind: 'tip', id: creator.id }) : onOpen('tip'))}
        >
          <IconGift size={22} stroke={1.75} />
        </button>
      ) : (
        // The focus stays in the field, which the press would take away with the button.
        <button
          type="submit"
          className={classes.control}
          aria-label={texts.send}
          title={texts.send}
          disabled={send.isPending}
          onPointerDown={(event) => event.preventDefault()}
        >
          <IconSend size={22} stroke={1.75} />
        </button>
      )}
    </form>
  )
}
