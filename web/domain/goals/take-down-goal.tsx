import { goalTexts } from '@ovation/contract/texts/goals'
import { useQueryClient } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import ReasonDialog from '../../ui/reason-dialog.tsx'
import { type Goal, goalsQuery } from './queries.ts'

const texts = goalTexts.takeDown

type Props = { goal: Goal; creatorId: string; onClose: () => void }

/** An admin takes down a goal, which refunds every tip toward it. */
export default function TakeDownGoal({ goal: { id }, creatorId, onClose }: Props) {
  const queryClient = useQueryClient()
  return (
    <ReasonDialog
      subject={`goal:${id}`}
      title={texts.title}
      message={texts.message}
      field={texts.reason}
      confirm={texts.action}
      done={texts.done}
      failed={texts.failed}
      run={async (reason) => await supabase.rpc('take_down_goal', { goal_id: id, reason }).throwOnError()}
      onDone={() => void queryClient.invalidateQueries({ queryKey: goalsQuery(creatorId).queryKey })}
      onClose={onClose}
    />
  )
}
