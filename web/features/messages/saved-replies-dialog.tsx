import { ActionIcon, Button, Group } from '@mantine/core'
import { savedReplyTexts } from '@ovation/contract/texts/saved-replies'
import { IconMessage2Bolt, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type SavedReply, savedRepliesQuery } from '../../domain/messages/saved-replies.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { announce, toast } from '../../ui/toast.ts'
import { describeSaved } from './describe-saved.ts'
import classes from './saved-replies.module.css'
import { SavedReplyForm } from './saved-reply-form.tsx'

const texts = savedReplyTexts

type Props = {
  /** Whether the viewer may add files and a price. */
  canSell: boolean
  onClose: () => void
}

/** The viewer's saved replies, to add, change, and delete (INBOX-03). */
export default function SavedRepliesDialog({ canSell, onClose }: Props) {
  const replies = useQuery(savedRepliesQuery())
  const [editing, setEditing] = useState<SavedReply | 'new'>()
  const done = () => setEditing(undefined)
  if (editing)
    return (
      <Dialog title={editing === 'new' ? texts.create : texts.edit} onClose={onClose} fullScreenOnPhone>
        <SavedReplyForm reply={editing === 'new' ? undefined : editing} canSell={canSell} onDone={done} />
      </Dialog>
    )
  const create = <Button onClick={() => setEditing('new')}>{texts.create}</Button>
  return (
    <Dialog title={texts.title} onClose={onClose} fullScreenOnPhone>
      {replies.isPending ? (
        <ListSkeleton rows={3} shape="line" />
      ) : replies.isError && !replies.data ? (
        <LoadFailed title={texts.loadFailed} of={replies} />
      ) : replies.data.length === 0 ? (
        <EmptyState icon={<IconMessage2Bolt size={26} stroke={1.5} />} {...texts.empty} action={create} />
      ) : (
        <>
          <ul className={classes.list}>
            {replies.data.map((reply) => (
              <Row key={reply.id} reply={reply} onEdit={() => setEditing(reply)} />
            ))}
          </ul>
          <Group justify="flex-end" className={classes.foot ?? ''} data-keep-clear>
            {create}
          </Group>
        </>
      )}
    </Dialog>
  )
}

function Row({ reply, onEdit }: { reply: SavedReply; onEdit: () => void }) {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: async () => {
      await supabase.from('saved_replies').delete().eq('id', reply.id).throwOnError()
    },
    onSuccess: () => {
      queryClient.setQueryData(savedRepliesQuery().queryKey, (all) => all?.filter(({ id }) => id !== reply.id))
      announce(texts.deleted)
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.deleteFailed),
    onSettled: () => setAsking(false),
  })
  const about = describeSaved(reply)
  const short = reply.content.slice(0, 40) || about
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        {reply.content && (
          <p className={classes.content} dir="auto">
            {reply.content}
          </p>
        )}
        {about && <p className={classes.about}>{about}</p>}
      </div>
      <ActionIcon variant="subtle" color="gray" size={40} aria-label={texts.editNamed(short)} onClick={onEdit}>
        <IconPencil size={18} stroke={1.6} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={40}
        aria-label={texts.deleteNamed(short)}
        onClick={() => setAsking(true)}
      >
        <IconTrash size={18} stroke={1.6} />
      </ActionIcon>
      {asking && (
        <ConfirmDialog
          title={texts.deleteTitle}
          message={texts.deleteMessage}
          confirmLabel={texts.delete}
          pending={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  )
}
