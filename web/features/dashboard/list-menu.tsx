import { fanListTexts } from '@ovation/contract/texts/fan-lists'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type FanList, fanListsQuery } from '../../domain/fans/list-queries.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { toast } from '../../ui/toast.ts'

const ListForm = lazy(() => import('./list-form.tsx'))
const texts = fanListTexts.delete

type Props = { viewerId: string; list: FanList; onDeleted: () => void }

/** Renames or deletes a list, and changes the rule of a smart one. */
export function ListMenu({ viewerId, list, onDeleted }: Props) {
  const queryClient = useQueryClient()
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const close = () => setOpen(undefined)
  const remove = useMutation({
    mutationFn: async () => {
      await supabase.rpc('delete_fan_list', { list_id: list.id }).throwOnError()
    },
    onSuccess: () => {
      queryClient.setQueryData(fanListsQuery(viewerId).queryKey, (lists) => lists?.filter(({ id }) => id !== list.id))
      toast.success(texts.done)
      onDeleted()
    },
    onError: (error) => {
      toast.error(errorMessageOf(error), texts.failed)
      close()
    },
  })
  return (
    <>
      <MoreButton
        label={fanListTexts.more(list.name)}
        actions={[
          {
            label: list.rule ? fanListTexts.editSmart : fanListTexts.edit,
            icon: IconPencil,
            onSelect: () => setOpen('edit'),
          },
          { label: texts.action, icon: IconTrash, onSelect: () => setOpen('delete') },
        ]}
      />
      {open === 'edit' && (
        <Suspense>
          <ListForm viewerId={viewerId} list={list} isSmart={list.rule !== null} onSaved={close} onClose={close} />
        </Suspense>
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={texts.title(list.name)}
          message={texts.message}
          confirmLabel={texts.confirm}
          onConfirm={() => remove.mutate()}
          onClose={close}
          pending={remove.isPending}
        />
      )}
    </>
  )
}
