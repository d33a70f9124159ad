import { paths } from '@ovation/contract/paths'
import { postTexts } from '@ovation/contract/texts/posts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { supabase } from '../../lib/api/supabase.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { dropPost } from './post-cache.ts'
import type { Post } from './queries.ts'

const TakeDownDialog = lazy(() => import('./take-down-dialog.tsx'))

type Props = {
  post: Pick<Post, 'id'>
  /** False when an admin removes another user's post. */
  own: boolean
  onClose: () => void
}

/** Confirms (and asks an admin for a reason), deletes the post, and removes it from every list (POST-52..POST-55). */
export default function DeletePost({ post, own, onClose }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isOnPost = useLocation().pathname === paths.post(post.id)

  const forget = () => {
    dropPost(queryClient, post.id)
    for (const queryKey of [['profile'], ['dashboard']]) void queryClient.invalidateQueries({ queryKey })
    if (isOnPost) void navigate(paths.home, { replace: true })
  }
  const deletion = useMutation({
    mutationFn: async () => {
      const { count } = await supabase.from('posts').delete({ count: 'exact' }).eq('id', post.id).throwOnError()
      // For the database, deleting another user's post isn't an error: no row matches.
      if (count === 0) throw new Error('nothing was deleted')
    },
    onSuccess: () => {
      if (isOnPost) toast.leaving(postTexts.deleted)
      else toast.success(postTexts.deleted)
      forget()
    },
    onError: () => toast.error(postTexts.deleteFailed),
    onSettled: onClose,
  })

  if (!own)
    return (
      <Suspense>
        <TakeDownDialog postId={post.id} leaves={isOnPost} onDone={forget} onClose={onClose} />
      </Suspense>
    )
  return (
    <ConfirmDialog
      title={postTexts.deleteDialog.title}
      message={postTexts.deleteDialog.message}
      confirmLabel={postTexts.deleteDialog.confirm}
      pending={deletion.isPending}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    />
  )
}
