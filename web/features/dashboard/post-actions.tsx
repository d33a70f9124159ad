import { ActionIcon, Menu } from '@mantine/core'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { postTexts } from '@ovation/contract/texts/posts'
import { IconDots, IconEdit, IconPin, IconPinnedOff, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { sentenceOf } from '../../lib/sentence-of.ts'
import { supabase } from '../../lib/supabase.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { dashboardKey, type OwnPost } from './queries.ts'

const EditPost = lazy(() => import('./edit-post.tsx'))

const texts = dashboardTexts.content
const icon = { size: 17, stroke: 1.75, 'aria-hidden': true } as const

/** Pin, edit and delete, from the creator's own list (POST-08, POST-52, POST-53, D28). */
export function PostActions({ post, profileId }: { post: OwnPost; profileId: string }) {
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const close = () => setOpen(undefined)
  const queryClient = useQueryClient()
  const refresh = () =>
    Promise.all(
      [dashboardKey(profileId), ['posts'], ['profile']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    )
  const pin = useMutation({
    mutationFn: async () => {
      await supabase.from('posts').update({ is_pinned: !post.is_pinned }).eq('id', post.id).throwOnError()
    },
    onSuccess: () => {
      toast.success(post.is_pinned ? postTexts.unpinnedNow : postTexts.pinnedNow)
      return refresh()
    },
    onError: (error) => toast.error(sentenceOf(error), postTexts.pinFailed),
  })
  const deletion = useMutation({
    mutationFn: async () => {
      await supabase.from('posts').delete().eq('id', post.id).throwOnError()
    },
    onSuccess: () => {
      toast.success(postTexts.deleted)
      return refresh()
    },
    onError: () => toast.error(postTexts.deleteFailed),
    onSettled: close,
  })
  const name = post.title || post.content || texts.untitled
  return (
    <>
      <Menu position="bottom-end" shadow="md" radius="lg" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={texts.more(name)} loading={pin.isPending}>
            <IconDots size={18} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={post.is_pinned ? <IconPinnedOff {...icon} /> : <IconPin {...icon} />}
            onClick={() => pin.mutate()}
          >
            {post.is_pinned ? texts.unpin : texts.pin}
          </Menu.Item>
          <Menu.Item leftSection={<IconEdit {...icon} />} onClick={() => setOpen('edit')}>
            {texts.edit}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash {...icon} />} onClick={() => setOpen('delete')}>
            {texts.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'edit' && (
        <Suspense>
          <EditPost post={post} onSaved={refresh} onClose={close} />
        </Suspense>
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={postTexts.deleteDialog.title}
          message={postTexts.deleteDialog.message}
          confirmLabel={postTexts.deleteDialog.confirm}
          pending={deletion.isPending}
          onConfirm={() => deletion.mutate()}
          onClose={close}
        />
      )}
    </>
  )
}
