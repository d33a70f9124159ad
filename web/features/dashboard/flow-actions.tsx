import { Badge, Button } from '@mantine/core'
import { flowTexts as texts } from '@ovation/contract/texts/flows'
import { IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { toast } from '../../ui/toast.ts'
import { type Flow, flowsQuery } from './flow-queries.ts'
import classes from './flows.module.css'

const colors = { draft: 'gray', active: 'teal', paused: 'yellow' } as const

export const FlowStatus = ({ status }: Pick<Flow, 'status'>) => (
  <Badge variant="light" color={colors[status]} data-status={status}>
    {texts.status[status]}
  </Badge>
)

type Props = { viewerId: string; flow: Flow; onDeleted?: () => void }

/** Starts, pauses, or resumes a flow, sends a test of it, or deletes it (AUTO-04). */
export function FlowActions({ viewerId, flow, onDeleted }: Props) {
  const queryClient = useQueryClient()
  const { queryKey } = flowsQuery(viewerId)
  const [deleting, setDeleting] = useState(false)
  const isActive = flow.status === 'active'
  const change = useMutation({
    mutationFn: async (status: 'active' | 'paused') => {
      await supabase.rpc('set_flow_status', { flow_id: flow.id, status }).throwOnError()
    },
    onMutate: (status) =>
      queryClient.setQueryData(queryKey, (all) => all?.map((one) => (one.id === flow.id ? { ...one, status } : one))),
    onSuccess: (_, status) => toast.success(status === 'active' ? texts.started : texts.paused),
    onError: (error) => toast.error(errorMessageOf(error), texts.statusFailed),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
  const test = useMutation({
    mutationFn: async () => {
      const { data } = await supabase.rpc('test_flow', { flow_id: flow.id }).throwOnError()
      return data
    },
    onSuccess: (count) => toast.success(texts.test.done(count)),
    onError: (error) => toast.error(errorMessageOf(error), texts.test.failed),
  })
  const remove = useMutation({
    mutationFn: async () => {
      await supabase.rpc('delete_flow', { flow_id: flow.id }).throwOnError()
    },
    onSuccess: () => {
      onDeleted?.()
      queryClient.setQueryData(queryKey, (all) => all?.filter(({ id }) => id !== flow.id))
      toast.success(texts.delete.done)
    },
    onError: (error) => {
      toast.error(errorMessageOf(error), texts.delete.failed)
      setDeleting(false)
    },
  })
  const [verb, label] = isActive
    ? [texts.pause, texts.pauseNamed(flow.name)]
    : flow.status === 'paused'
      ? [texts.resume, texts.resumeNamed(flow.name)]
      : [texts.start, texts.startNamed(flow.name)]
  const Icon = isActive ? IconPlayerPause : IconPlayerPlay
  return (
    <div className={classes.actions}>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<Icon size={16} stroke={1.75} aria-hidden="true" />}
        aria-label={label}
        onClick={() => !change.isPending && change.mutate(isActive ? 'paused' : 'active')}
      >
        {verb}
      </Button>
      <MoreButton
        label={texts.more(flow.name)}
        pending={test.isPending}
        actions={[
          { label: texts.test.action, icon: IconSend, onSelect: () => test.mutate() },
          { label: texts.delete.action, icon: IconTrash, onSelect: () => setDeleting(true) },
        ]}
      />
      {deleting && (
        <ConfirmDialog
          title={texts.delete.title(flow.name)}
          message={texts.delete.message}
          confirmLabel={texts.delete.confirm}
          pending={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  )
}
