import { operationsTexts } from '@ovation/contract/texts/operations'
import { supabase } from '../../lib/api/supabase.ts'
import ReasonDialog from '../../ui/reason-dialog.tsx'

const texts = operationsTexts.takeDown

type Props = { productId: string; onDone: () => void; onClose: () => void }

/** For admins: ends the sale of a product for good. Its creator sees the reason, and its buyers keep it (D43). */
export default function TakeDownProduct({ productId, onDone, onClose }: Props) {
  return (
    <ReasonDialog
      subject={productId}
      title={texts.title.product}
      message={texts.message.product}
      field={{ label: texts.reason, hint: texts.reasonHint, missing: texts.reasonMissing }}
      confirm={texts.confirm}
      done={texts.done.product}
      failed={texts.failed}
      run={async (reason) =>
        supabase.rpc('take_down', { target_type: 'product', target_id: productId, reason }).throwOnError()
      }
      onDone={onDone}
      onClose={onClose}
    />
  )
}
