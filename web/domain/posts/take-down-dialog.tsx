import { operationsTexts } from '@ovation/contract/texts/operations'
import { postTexts } from '@ovation/contract/texts/posts'
import { supabase } from '../../lib/api/supabase.ts'
import ReasonDialog from '../../ui/reason-dialog.tsx'

const texts = operationsTexts.takeDown

type Props = { postId: string; leaves: boolean; onDone: () => void; onClose: () => void }

/** For admins: removes another user's post. The author sees the reason (POST-54). */
export default function TakeDownDialog({ postId, leaves, onDone, onClose }: Props) {
  return (
    <ReasonDialog
      subject={postId}
      title={postTexts.deleteDialog.title}
      message={postTexts.deleteDialog.message}
      field={{ label: texts.reason, hint: texts.reasonHint, missing: texts.reasonMissing }}
      confirm={postTexts.deleteDialog.confirm}
      done={postTexts.deletedByAdmin}
      failed={postTexts.deleteFailed}
      run={async (reason) =>
        supabase.rpc('take_down', { target_type: 'post', target_id: postId, reason }).throwOnError()
      }
      leaves={leaves}
      onDone={onDone}
      onClose={onClose}
    />
  )
}
