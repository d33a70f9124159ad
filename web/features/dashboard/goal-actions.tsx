import { Button } from '@mantine/core'
import { goalTexts } from '@ovation/contract/texts/goals'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Goal, goalsKey } from '../../domain/goals/queries.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'

/** Ends a goal early. */
export function EndGoal({ goal: { id, title, kind, status, refunds_if_missed } }: { goal: Goal }) {
  const texts = goalTexts.end
  const consequence =
    status === 'reached' ? 'reached' : kind === 'subscribers' ? 'subscribers' : refunds_if_missed ? 'refunds' : 'missed'
  const end = async () => void (await supabase.rpc('end_goal', { goal_id: id }).throwOnError())
  return (
    <Action
      label={goalTexts.tab.end}
      name={goalTexts.tab.endNamed(title)}
      texts={{ ...texts, title: texts.title(title), message: texts[consequence] }}
      run={end}
    />
  )
}

/** Deletes a goal that nobody has tipped toward. */
export function DeleteGoal({ goal: { id, title, kind } }: { goal: Goal }) {
  const texts = goalTexts.delete
  const remove = async () => void (await supabase.rpc('delete_goal', { goal_id: id }).throwOnError())
  const message = kind === 'money' ? texts.message : texts.subscribers
  return (
    <Action
      label={goalTexts.tab.delete}
      name={goalTexts.tab.deleteNamed(title)}
      texts={{ ...texts, title: texts.title(title), message }}
      run={remove}
    />
  )
}

type Props = {
  label: string
  name: string
  texts: { title: string; message: string; confirm: string; done: string; failed: string }
  run: () => Promise<void>
}

function Action({ label, name, texts, run }: Props) {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const act = useMutation({
    mutationFn: run,
    onSuccess: () => toast.success(texts.done),
    onError: (error) => toast.error(errorMessageOf(error), texts.failed),
    onSettled: () => {
      setAsking(false)
      return queryClient.invalidateQueries({ queryKey: goalsKey })
    },
  })
  return (
    <>
      <Button variant="default" size="sm" aria-label={name} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {asking && (
        <ConfirmDialog
          title={texts.title}
          message={texts.message}
          confirmLabel={texts.confirm}
          pending={act.isPending}
          onConfirm={() => act.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
