import { fanListTexts } from '@ovation/contract/texts/fan-lists'
import { formatCount } from '../../lib/format/format-number.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FanLists } from './fan-lists.tsx'

const texts = fanListTexts.dialog

type Props = { viewerId: string; fans: readonly { id: string; name: string }[]; onClose: () => void }

/** Puts fans on lists: from a profile, a comment, or the table of fans (LIST-01). */
export default function ListsDialog({ viewerId, fans, onClose }: Props) {
  const [first] = fans
  const title = first && fans.length === 1 ? texts.title(first.name) : texts.titleOfSeveral(formatCount(fans.length))
  return (
    <Dialog title={title} onClose={onClose} size="md">
      <FanLists viewerId={viewerId} fanIds={fans.map(({ id }) => id)} />
    </Dialog>
  )
}
