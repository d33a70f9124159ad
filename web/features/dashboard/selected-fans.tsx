import { Button } from '@mantine/core'
import { fanListTexts as texts } from '@ovation/contract/texts/fan-lists'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type FanList, fansKey } from '../../domain/fans/list-queries.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { formatCount } from '../../lib/format/format-number.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import classes from './fans-tab.module.css'

const ListsDialog = lazy(() => import('../../domain/fans/lists-dialog.tsx'))

type Props = {
  viewerId: string
  /** The open list. */
  list: FanList | undefined
  /** Names by id. */
  selected: ReadonlyMap<string, string>
  onClear: () => void
}

/** What to do with the selected fans. */
export function SelectedFans({ viewerId, list, selected, onClear }: Props) {
  const queryClient = useQueryClient()
  const [open, setOpen] = useState<'add' | 'remove'>()
  const close = () => setOpen(undefined)
  const count = formatCount(selected.size)
  const remove = useMutation({
    mutationFn: async () => {
      await supabase
        .rpc('remove_from_fan_list', { list_id: list?.id ?? '', fan_ids: [...selected.keys()] })
        .throwOnError()
    },
    onSuccess: () => {
      toast.success(texts.remove.done(count))
      onClear()
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.remove.failed),
    onSettled: () => {
      close()
      return queryClient.invalidateQueries({ queryKey: fansKey(viewerId) })
    },
  })
  return (
    <div className={classes.selected}>
      <strong role="status">{texts.selected(count)}</strong>
      <Button size="compact-md" onClick={() => setOpen('add')}>
        {texts.add}
      </Button>
      {list?.rule === null && (
        <Button size="compact-md" variant="default" onClick={() => setOpen('remove')}>
          {texts.remove.action}
        </Button>
      )}
      <Button size="compact-md" variant="subtle" color="gray" onClick={onClear}>
        {texts.clear}
      </Button>
      {open === 'add' && (
        <Suspense>
          <ListsDialog
            viewerId={viewerId}
            fans={[...selected].map(([id, name]) => ({ id, name }))}
            onClose={() => {
              close()
              onClear()
            }}
          />
        </Suspense>
      )}
      {open === 'remove' && list && (
        <ConfirmDialog
          title={texts.remove.title(count, list.name)}
          message={texts.remove.message}
          confirmLabel={texts.remove.confirm}
          onConfirm={() => remove.mutate()}
          onClose={close}
          pending={remove.isPending}
        />
      )}
    </div>
  )
}
